package org.understudy.replication.simulation.checker;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.understudy.replication.core.Reply;

/** Checks every reply in the moment a core gives it: that it shows nothing unstable, and no more than its handle says. */
public final class ReplyChecker {
  private final History history;
  private final Function<byte[], Observation> read;
  private final Map<Long, Long> indexes = new HashMap<>();

  /** @param read what a reply's body shows; null: nothing */
  public ReplyChecker(History history, Function<byte[], Observation> read) {
    this.history = history;
    this.read = read;
  }

  /** A primary has appended what an execution did. */
  public void appended(ExecutedUpdate update) {
    indexes.put(update.writer(), update.index());
  }

  /** @param stable the last index that the replica's core has named stable */
  public void replied(int replica, Reply reply, long stable) {
    long index = reply.handle().index();
    if (index > stable) {
      history.violation("stable replies",
          "replica " + replica + " replied at index " + index + " while only " + stable + " was stable: " + reply);
    }
    Observation observation = read.apply(reply.response().body());
    if (observation != null && observation.writer() != 0) {
      Long shown = indexes.get(observation.writer());
      if (shown == null) {
        history.violation("stable replies", "replica " + replica + " showed an execution that came to nothing: " + reply);
      } else if (shown > index) {
        history.violation("stable replies",
            "replica " + replica + " showed update " + shown + " with a handle of " + index + ": " + reply);
      }
    }
  }
}
