package org.understudy.container.forwarding;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Failure;

/** The next action of a {@link ForwardedRequest}. Times are those of the clock of the inputs, in nanoseconds. */
public sealed interface Step {
  /**
   * Send an attempt, and report its end: an answer, or none.
   *
   * @param to where it goes; it may be the forwarding replica itself
   * @param number of the attempt, from 1
   * @param deadline when the attempt is broken off at the latest
   */
  record Send(ReplicaId to, int number, long deadline) implements Step {
    /** Whether the attempt is pointless now that these replicas serve the request. */
    public boolean isSupersededBy(List<ReplicaId> servers) {
      return !servers.isEmpty() && !servers.contains(to);
    }
  }

  /** Report the end of this time, unless the request has other servers, or the replica ends, before. */
  record Pause(long until) implements Step {}

  /** Close the connection of the attempt on its way, and report its end without an answer. */
  record BreakOff() implements Step {
    static final BreakOff NOW = new BreakOff();
  }

  /** No change: the current action continues. */
  record GoOn() implements Step {
    static final GoOn UNCHANGED = new GoOn();
  }

  /** The answer of this attempt is the client's. */
  record PassOn(int number) implements Step {}

  /** The client receives a failure instead of a result. */
  record Fail(Failure failure) implements Step {}
}
