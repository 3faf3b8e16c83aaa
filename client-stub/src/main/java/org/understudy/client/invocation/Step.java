package org.understudy.client.invocation;

import java.net.URI;
import org.understudy.client.envelope.Answer;
import org.understudy.client.view.GroupView;

/** The next action of a {@link RetryingInvocation}. Times are those of the clock of the inputs, in nanoseconds. */
public sealed interface Step {
  /**
   * Send an attempt, and report its end: an answer, or none.
   *
   * @param replica the destination
   * @param number of the attempt, from 1
   * @param forward whether the replica is asked to forward it to one that serves it and that this client does not reach
   * @param deadline when waiting for the answer ends at the latest, with {@link NoAnswer#TIMED_OUT}
   */
  record Send(URI replica, int number, boolean forward, long deadline) implements Step {
    /** Whether this view makes the attempt pointless: only other replicas serve the request. */
    public boolean isSupersededBy(GroupView view) {
      return view.supersedes(replica);
    }
  }

  /** Report the end of this time, unless a view or the end of the client comes first. */
  record Pause(long until) implements Step {}

  /** Close the connection of the attempt in flight, and report its end as {@link NoAnswer#BROKEN_OFF}. */
  record BreakOff() implements Step {
    static final BreakOff NOW = new BreakOff();
  }

  /** No change: the current action continues. */
  record GoOn() implements Step {
    static final GoOn UNCHANGED = new GoOn();
  }

  /** The invocation has its result; a service's own fault is one. */
  record Take(Answer answer) implements Step {}

  /** The invocation ends without a result. */
  record Fail(InvocationFailedException failure) implements Step {}
}
