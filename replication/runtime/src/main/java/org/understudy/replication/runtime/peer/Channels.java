package org.understudy.replication.runtime.peer;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.channel.GroupChannel;

/**
 * The channels to the other replicas that a strategy requires. The replica closes them.
 *
 * @param peers messages to one replica; null when the strategy has no peers
 * @param group totally ordered messages to all; null for none. Its failure halts the replica
 */
public record Channels(PeerChannel peers, GroupChannel group) {
  /** For a strategy with a single replica. */
  public static final Channels NONE = new Channels(null, null);

  /** For a strategy that sends point to point. */
  public static Channels toPeers(PeerChannel peers) {
    return new Channels(peers, null);
  }

  /** For a strategy that only multicasts. */
  public static Channels toGroup(GroupChannel group) {
    return new Channels(null, group);
  }

  /**
   * Begins to exchange messages.
   *
   * @param halt takes the reason to halt, as the end of a sentence, and the cause
   */
  public void start(Consumer<Input> step, BiConsumer<String, Throwable> halt) {
    if (peers != null) {
      peers.start();
    }
    if (group != null) {
      group.join(new GroupInputs(group.name(), step, halt));
    }
  }

  public void close() {
    if (peers != null) {
      peers.close();
    }
    if (group != null) {
      group.close();
    }
  }
}
