/** Peer messages as bytes: one compact encoding for every channel. */
package org.understudy.replication.runtime.codec;
