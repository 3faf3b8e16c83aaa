/** The binary encoding of messages, independent of where the bytes come from. */
package org.understudy.replication.core.wire;
