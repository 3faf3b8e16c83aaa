package org.understudy.replication.runtime;

import java.util.ArrayList;
import java.util.List;

/** Records the decision on an execution. Thread-safe. */
final class TestProposal implements Proposal {
  private final List<String> decisions = new ArrayList<>();

  @Override
  public synchronized void commit() {
    decisions.add("commit");
  }

  @Override
  public synchronized void rollback() {
    decisions.add("rollback");
  }

  /** In order; empty while it is undecided. */
  synchronized List<String> decisions() {
    return List.copyOf(decisions);
  }

  boolean committed() {
    return decisions().equals(List.of("commit"));
  }
}
