package org.understudy.channel.jgroups;

import java.io.DataInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import javax.net.ssl.SSLException;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.PhysicalAddress;
import org.jgroups.protocols.TCP;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.Disconnection;
import org.understudy.replication.runtime.handshake.RefusalLog;

/**
 * The transport of JGroups over TCP that accepts {@link PeerMessages} alone. It closes the connection that another message comes from, and
 * reports no end of a connection as an error.
 */
final class PeerTcp extends TCP {
  private static final Logger LOG = LoggerFactory.getLogger(PeerTcp.class);

  private final ReplicaId self;
  private final RefusalLog rejections = new RefusalLog();

  PeerTcp(ReplicaId self) {
    this.self = self;
  }

  @Override
  public void start() throws Exception {
    super.start();
    srv.log(ConnectionLog.of(log));
  }

  /** JGroups reports each failure to send but the end of the connection, which it does not recognise within TLS. */
  @Override
  public void sendUnicast(PhysicalAddress to, byte[] data, int offset, int length) throws Exception {
    try {
      super.sendUnicast(to, data, offset, length);
    } catch (SSLException e) {
      if (Disconnection.isCauseOf(e)) {
        throw new SocketException(e.getMessage());
      }
      throw e;
    }
  }

  @Override
  public void receive(Address sender, DataInput in, int length) throws Exception {
    try {
      super.receive(sender, in, length);
    } catch (UncheckedIOException e) {
      IOException cause = e.getCause();
      if (cause instanceof EOFException || cause instanceof SocketException) {
        throw cause;
      }
      if (Disconnection.isCauseOf(cause)) {
        throw new EOFException(cause.getMessage());
      }
      if (rejections.isDue("message", System.nanoTime())) {
        LOG.warn(
            "The JGroups channel of replica {} closes a connection from {}: {} No replica of this version sends it. Let only the replicas"
                + " connect to understudy.channel.jgroups.addresses.",
            self, sender, RefusalLog.printable(cause.getMessage()));
      }
      // JGroups closes the connection, and logs another exception each time.
      throw new EOFException(cause.getMessage());
    }
  }

  @Override
  protected void handleSingleMessage(DataInput in, boolean multicast) {
    Message message;
    try {
      message = PeerMessages.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException | RuntimeException e) {
      throw new UncheckedIOException(new IOException("A message is malformed (" + e + ").", e));
    }
    if (multicast || !unicastDestMismatch(message.getDest())) {
      msg_processing_policy.process(message, message.isFlagSet(Message.Flag.OOB));
      msg_stats.received(message);
    }
  }

  /** The stack of this channel sends each message by itself. */
  @Override
  protected void handleMessageBatch(DataInput in, boolean multicast) {
    throw new UncheckedIOException(new IOException("A list of messages is rejected."));
  }
}
