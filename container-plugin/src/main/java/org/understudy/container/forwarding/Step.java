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
   * @param limit when it ends without a response
   */
  record Send(ReplicaId to, int number, AttemptLimit limit) implements Step {
    /** Whether other replicas serve the request now, so that this attempt cannot succeed. */
    public boolean isSupersededBy(List<ReplicaId> servers) {
      return !servers.isEmpty() && !servers.contains(to);
    }

    /** Whether the attempt has lasted for too long, or its receiver seems to be gone. */
    public boolean isOver(long now, Servers servers) {
      return limit.isPast(now, servers.silentNanos(to));
    }
  }

  /**
   * When an attempt is cancelled.
   *
   * @param silentFrom the time from which on the silence of the receiver counts
   * @param maxSilence nanoseconds
   * @param end when it is cancelled even if the receiver is not silent
   */
  record AttemptLimit(long silentFrom, long maxSilence, long end) {
    boolean isSilent(long now, long silentNanos) {
      return silentFrom - now <= 0 && silentNanos >= maxSilence;
    }

    boolean isPast(long now, long silentNanos) {
      return end - now <= 0 || isSilent(now, silentNanos);
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
