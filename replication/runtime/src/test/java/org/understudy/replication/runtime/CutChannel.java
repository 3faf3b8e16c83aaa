package org.understudy.replication.runtime;

import java.io.IOException;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;

/** A channel whose way out can be cut: what is sent meanwhile is lost. */
final class CutChannel implements PeerChannel {
  private final PeerChannel channel;
  private volatile boolean cut;

  CutChannel(PeerChannel channel) {
    this.channel = channel;
  }

  void cut(boolean now) {
    cut = now;
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
  public void send(ReplicaId to, List<Message> messages) {
    if (!cut) {
      channel.send(to, messages);
    }
  }

  @Override
  public void close() {
    channel.close();
  }
}
