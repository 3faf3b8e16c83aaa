package org.understudy.replication.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The executions that have returned and are neither committed nor rolled back. One that is decided in its own step is not
 * even remembered. Used under the core's exclusion.
 */
final class Proposals {
  private final Map<Long, Proposal> undecided = new HashMap<>();
  /** What the running step has decided of earlier ones: the decisions are carried out only if it does not throw. */
  private final List<Proposal> decidedNow = new ArrayList<>(1);
  /** That of the running step, or null. */
  private Proposal arriving;
  private long arrivingToken;

  /** The step of this execution begins. */
  void arrive(long token, Proposal proposal) {
    arrivingToken = token;
    arriving = proposal;
  }

  /** The step has ended: what it has not decided waits. */
  void arrived() {
    decidedNow.clear();
    if (arriving != null) {
      undecided.put(arrivingToken, arriving);
      arriving = null;
    }
  }

  /** Ends the wait for a decision; null when none is waited for. */
  Proposal decide(long token) {
    if (arriving == null || arrivingToken != token) {
      Proposal earlier = undecided.isEmpty() ? null : undecided.remove(token);
      if (earlier != null) {
        decidedNow.add(earlier);
      }
      return earlier;
    }
    Proposal decided = arriving;
    arriving = null;
    return decided;
  }

  /** The replica has halted, and decides nothing any more. Whose step is running is not among these. */
  List<Proposal> takeAll() {
    List<Proposal> all = new ArrayList<>(undecided.values());
    all.addAll(decidedNow);
    undecided.clear();
    decidedNow.clear();
    arriving = null;
    return all;
  }
}
