package org.understudy.replication.simulation;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.handshake.Acceptor;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.Dialer;
import org.understudy.replication.runtime.handshake.GroupDescription;

/** Production's handshake of two replicas, without a connection. */
final class SimulatedHandshake {
  private static final byte[] SECRET = new byte[32];

  private SimulatedHandshake() {}

  /** Whether each accepts the other as a replica of its group. */
  static boolean succeed(Credentials from, Credentials to) {
    Dialer dialer = new Dialer(from, to.self());
    Acceptor acceptor = new Acceptor(to);
    try {
      byte[] answer = acceptor.answer(dialer.confirm(acceptor.reply(dialer.hello())));
      dialer.complete(answer);
      acceptor.complete();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Of a replica that lists these replicas and reads these versions. */
  static Credentials credentials(ReplicaId self, List<ReplicaId> listed, WireVersions wire) {
    Map<ReplicaId, String> addresses = new TreeMap<>();
    listed.forEach(replica -> addresses.put(replica, "replica " + replica));
    return new Credentials(self, new GroupDescription("understudy", "primary-backup", wire, addresses, addresses, null), SECRET);
  }
}
