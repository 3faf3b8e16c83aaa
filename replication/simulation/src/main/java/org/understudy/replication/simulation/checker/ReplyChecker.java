package org.understudy.replication.simulation.checker;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.understudy.replication.core.request.Reply;

/**
 * Checks replies: when a core requests one, that it shows nothing unstable and no more than its handle states; when a
 * client gets one, that version handles ascend from epoch to epoch. A reply that was requested and never sent, because its
 * step threw or its replica crashed before the record was durable, may have a handle of updates that the next view does not
 * have.
 */
public final class ReplyChecker {
  private final History history;
  private final Function<byte[], Observation> read;
  /** Of each execution, by replica: a deposed primary can mark its decision elsewhere than its successor. */
  private final Map<Long, Map<Integer, Long>> indexes = new HashMap<>();
  /** The executions of which nothing is replicated. */
  private final Set<Long> inDatabase = new HashSet<>();
  /** The lowest and the highest position in the replies of each epoch. */
  private final TreeMap<Long, long[]> positions = new TreeMap<>();

  /** @param read what a reply's body shows; null: nothing */
  public ReplyChecker(History history, Function<byte[], Observation> read) {
    this.history = history;
    this.read = read;
  }

  /** Called when a database has committed the update of an execution of which nothing is replicated. */
  public void committed(long writer) {
    inDatabase.add(writer);
  }

  /** Called when a primary has appended the update of an execution, or a replica has applied it. */
  public void appended(int replica, ExecutedUpdate update) {
    indexes.computeIfAbsent(update.writer(), writer -> new HashMap<>()).put(replica, update.index());
  }

  /** Called when a replica has got its state from another one: what counts from now on is where others have an update. */
  public void replaced(int replica) {
    indexes.values().stream().filter(each -> each.size() > 1).forEach(each -> each.remove(replica));
  }

  /** Where the replica has the update of an execution, or else the lowest index at any; null for none. */
  private Long index(int replica, long writer) {
    Map<Integer, Long> all = indexes.get(writer);
    return all == null ? null : all.getOrDefault(replica, Collections.min(all.values()));
  }

  /** @param stable the last index that the replica's core has reported as stable */
  public void replied(int replica, Reply reply, long stable) {
    long index = reply.handle().position();
    if (index > stable) {
      history.violation("stable replies",
          "replica " + replica + " replied at index " + index + " while only " + stable + " was stable: " + reply);
    }
    Observation observation = read.apply(reply.response().body());
    if (observation != null && observation.writer() != 0 && !inDatabase.contains(observation.writer())) {
      Long shown = index(replica, observation.writer());
      if (shown == null) {
        history.violation("stable replies", "replica " + replica + " showed an execution that came to nothing: " + reply);
      } else if (shown > index) {
        history.violation("stable replies",
            "replica " + replica + " showed update " + shown + " with a handle of " + index + ": " + reply);
      }
    }
  }

  /**
   * Called when a client gets a reply: no position is outside the range between those of the epochs before and after its
   * own.
   */
  public void delivered(int replica, Reply reply) {
    long epoch = reply.handle().epoch();
    long position = reply.handle().position();
    if (epoch == 0) {
      return;
    }
    Map.Entry<Long, long[]> before = positions.lowerEntry(epoch);
    Map.Entry<Long, long[]> after = positions.higherEntry(epoch);
    if (before != null && before.getValue()[1] > position || after != null && after.getValue()[0] < position) {
      history.violation("version handles",
          "replica " + replica + " returned " + reply.handle() + ", which contradicts a handle of another epoch: " + reply);
    }
    long[] range = positions.computeIfAbsent(epoch, first -> new long[] {position, position});
    range[0] = Math.min(range[0], position);
    range[1] = Math.max(range[1], position);
  }
}
