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
  private final PeerMessages messages;
  private final UncheckedBytes unchecked = new UncheckedBytes(Stack.MAX_UNCHECKED_BYTES);

  PeerTcp(ReplicaId self, String cluster) {
    this.self = self;
    this.messages = new PeerMessages(cluster);
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
            "The JGroups channel of replica {} closes a connection from {}: {} No replica of this group, secret and version sends it. Let"
                + " only the replicas connect to understudy.channel.jgroups.addresses.",
            self, sender, RefusalLog.printable(cause.getMessage()));
      }
      // JGroups closes the connection, and logs another exception each time.
      throw new EOFException(cause.getMessage());
    }
  }

  @Override
  protected void handleSingleMessage(DataInput in, boolean multicast) {
    // The thread that reads a message also passes it to the channel, which checks the seal.
    try (UncheckedBytes.Share share = unchecked.open()) {
      handle(read(in, share), multicast);
    }
  }

  private Message read(DataInput in, UncheckedBytes.Share share) {
    try {
      return messages.read(in, share);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException | RuntimeException e) {
      throw new UncheckedIOException(new IOException("A message is malformed (" + e + ").", e));
    }
  }

  private void handle(Message message, boolean multicast) {
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
