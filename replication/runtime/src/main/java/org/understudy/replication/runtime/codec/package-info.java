/** Peer messages as bytes: one compact form for every channel. */
package org.understudy.replication.runtime.codec;
