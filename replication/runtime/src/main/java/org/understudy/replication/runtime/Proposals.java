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
    if (arriving != null) {
      undecided.put(arrivingToken, arriving);
      arriving = null;
    }
  }

  /** Ends the wait for a decision; null when none is waited for. */
  Proposal decide(long token) {
    if (arriving == null || arrivingToken != token) {
      return undecided.isEmpty() ? null : undecided.remove(token);
    }
    Proposal decided = arriving;
    arriving = null;
    return decided;
  }

  /** The replica has halted, and decides nothing any more. Whose step is running is not among these. */
  List<Proposal> takeAll() {
    List<Proposal> all = new ArrayList<>(undecided.values());
    undecided.clear();
    arriving = null;
    return all;
  }
}
