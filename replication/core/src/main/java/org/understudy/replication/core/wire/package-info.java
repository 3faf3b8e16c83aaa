/** How messages are written as bytes and read again, without saying where the bytes are. */
package org.understudy.replication.core.wire;
