package org.understudy.replication.runtime;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.peer.PeerChannel;
import org.understudy.replication.runtime.peer.PeerReceiver;

/** A channel whose outgoing direction can be cut: messages sent meanwhile are lost. Without relays, like builds that pass nothing on. */
final class CutChannel implements PeerChannel {
  private final PeerChannel channel;
  private final Set<ReplicaId> cutTo = ConcurrentHashMap.newKeySet();
  private final boolean relays;
  private volatile boolean cut;

  CutChannel(PeerChannel channel, boolean relays) {
    this.channel = channel;
    this.relays = relays;
  }

  void cut(boolean now) {
    cut = now;
  }

  /** Cuts only the direction to this replica, for good. */
  void cutTo(int replica) {
    cutTo.add(new ReplicaId(replica));
  }

  @Override
  public String name() {
    return channel.name();
  }

  @Override
  public void open(PeerReceiver receiver) throws IOException {
    channel.open(receiver);
  }

  @Override
  public void start() {
    channel.start();
  }

  @Override
  public int wire(ReplicaId peer) {
    return relays ? channel.wire(peer) : 0;
  }

  @Override
  public List<String> refusals() {
    return channel.refusals();
  }

  @Override
  public void send(ReplicaId to, List<Message> messages) {
    if (!cut && !cutTo.contains(to)) {
      channel.send(to, messages);
    }
  }

  @Override
  public void close() {
    channel.close();
  }
}
