package org.understudy.replication.runtime.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.GroupDescription;
import org.understudy.replication.runtime.handshake.PeerTls;
import org.understudy.replication.runtime.peer.PeerReceiver;
import org.understudy.test.network.SelfSigned;

/** A running channel of a replica without a core. */
final class OpenedChannel {
  /** What the replica does with messages. */
  interface Reaction {
    void to(List<Message> messages, Consumer<List<Message>> answers);
  }

  private OpenedChannel() {}

  /**
   * The settings of a channel that suspects others after 400 ms.
   *
   * @param tls null for plain connections
   */
  static SocketSettings settings(
      ReplicaId self, Map<ReplicaId, InetSocketAddress> addresses, GroupDescription group, String secret, PeerTls tls) {
    Credentials credentials = new Credentials(self, group, secret.getBytes(StandardCharsets.UTF_8));
    return new SocketSettings(credentials, addresses, tls, Duration.ofMillis(400), 64 << 20, 64 << 20);
  }

  static MessageFormat format() {
    return new MessageFormat(new PrimaryBackup().messages(), WireVersions.CURRENT);
  }

  /** Opens and starts a channel. */
  static SocketChannel of(SocketSettings settings, Reaction reaction, Runnable suspicion) throws IOException {
    return of(settings, Connection.Wire.REAL, reaction, suspicion);
  }

  /** Like the other one, over this wire. */
  static SocketChannel of(SocketSettings settings, Connection.Wire wire, Reaction reaction, Runnable suspicion) throws IOException {
    SocketChannel channel = new SocketChannel(settings, wire);
    channel.open(
        new PeerReceiver() {
          @Override
          public MessageFormat format() {
            return OpenedChannel.format();
          }

          @Override
          public void received(ReplicaId from, List<Message> messages, Consumer<List<Message>> answers) {
            reaction.to(messages, answers);
          }

          @Override
          public void suspected(ReplicaId replica) {
            suspicion.run();
          }
        });
    channel.start();
    return channel;
  }

  /** One key and certificate for all replicas of a test. */
  static PeerTls tls(Path directory) throws Exception {
    Path store = SelfSigned.of(directory, "ip:127.0.0.1,dns:localhost").store();
    return PeerTls.of(store, SelfSigned.PASSWORD, store, SelfSigned.PASSWORD);
  }
}
