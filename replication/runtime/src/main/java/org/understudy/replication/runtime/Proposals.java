package org.understudy.replication.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The executions that have returned and are neither committed nor rolled back. One that is decided in its own step is not
 * stored. Used under the core's lock.
 */
final class Proposals {
  private final Map<Long, Proposal> undecided = new HashMap<>();
  /** Decisions of the running step on earlier proposals; carried out only if the step does not throw. */
  private final List<Proposal> decidedNow = new ArrayList<>(1);
  /** The proposal of the running step, or null. */
  private Proposal arriving;
  private long arrivingToken;

  /** Begins the step of this execution. */
  void arrive(long token, Proposal proposal) {
    arrivingToken = token;
    arriving = proposal;
  }

  /** Ends the step: what it has not decided waits. */
  void arrived() {
    decidedNow.clear();
    if (arriving != null) {
      undecided.put(arrivingToken, arriving);
      arriving = null;
    }
  }

  /** The undecided proposal, or null. */
  Proposal find(long token) {
    return arriving != null && arrivingToken == token ? arriving : undecided.get(token);
  }

  /** Removes the proposal for its decision; null when there is none. */
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

  /** Removes all proposals when the replica halts, except the running step's. */
  List<Proposal> takeAll() {
    List<Proposal> all = new ArrayList<>(undecided.values());
    all.addAll(decidedNow);
    undecided.clear();
    decidedNow.clear();
    arriving = null;
    return all;
  }
}
