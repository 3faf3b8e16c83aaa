/**
 * How a replica finds the addresses of another one, and how both authenticate each other, compare their configuration, and
 * protect what they then send. Transports carry the messages of this package; nothing here opens a connection.
 */
package org.understudy.replication.runtime.handshake;
