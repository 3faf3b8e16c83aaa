package org.understudy.container.forwarding;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.request.Failure;

/** The next action of a {@link ForwardedRequest}. Times are those of the clock of the inputs, in nanoseconds. */
public sealed interface Step {
  /**
   * Send an attempt, and report its end, with a response or without.
   *
   * @param to the receiver, which may be the forwarding replica itself
   * @param number of the attempt, from 1
   * @param deadline when the attempt is cancelled at the latest
   */
  record Send(ReplicaId to, int number, long deadline) implements Step {
    /** Whether other replicas serve the request now, so that this attempt cannot succeed. */
    public boolean isSupersededBy(List<ReplicaId> servers) {
      return !servers.isEmpty() && !servers.contains(to);
    }
  }

  /** Wait until this time, then report it. A change of servers and the stop of the replica are reported earlier. */
  record Pause(long until) implements Step {}

  /** Close the connection of the current attempt, and report its end without a response. */
  record BreakOff() implements Step {
    static final BreakOff NOW = new BreakOff();
  }

  /** No change: the current action continues. */
  record GoOn() implements Step {
    static final GoOn UNCHANGED = new GoOn();
  }

  /** Return the response of this attempt to the client. */
  record PassOn(int number) implements Step {}

  /** Return a failure to the client. */
  record Fail(Failure failure) implements Step {}
}
