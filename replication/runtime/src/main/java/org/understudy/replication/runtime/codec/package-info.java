/** Peer messages as bytes: one compact encoding for every channel, written in slices. */
package org.understudy.replication.runtime.codec;
