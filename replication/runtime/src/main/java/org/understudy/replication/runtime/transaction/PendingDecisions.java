package org.understudy.replication.runtime.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;

/** The decisions of coordinators that are not stable yet, with their callers, and the listener for updates in doubt. Thread-safe. */
public final class PendingDecisions {
  private static final Logger LOG = LoggerFactory.getLogger(PendingDecisions.class);

  /** Guarded by this. */
  private final Map<DecisionId, List<DecisionCall>> waiting = new HashMap<>();
  private volatile InDoubtListener listener = PendingDecisions::warn;

  private static void warn(List<InDoubt> updates) {
    LOG.warn(
        "{} prepared updates of transactions are in doubt, and the service takes no part in transactions, for example {}. Their objects "
            + "stay locked. Deploy the version of the service that prepared them.",
        updates.size(), updates.get(0));
  }

  /** Sets the listener, in place of one that writes a warning. */
  public void listen(InDoubtListener participant) {
    listener = participant;
  }

  /** Reports updates in doubt. */
  public void inDoubt(List<InDoubt> updates) {
    listener.inDoubt(updates);
  }

  /** Adds a caller, before its decision reaches the core. */
  public synchronized void add(DecisionId id, DecisionCall call) {
    waiting.computeIfAbsent(id, none -> new ArrayList<>(1)).add(call);
  }

  /** Answers all callers of a decision. */
  public void settled(DecisionId id, boolean stable) {
    List<DecisionCall> calls;
    synchronized (this) {
      calls = waiting.remove(id);
    }
    if (calls != null) {
      calls.forEach(stable ? DecisionCall::settled : DecisionCall::lost);
    }
  }

  /** Answers all callers: the replica has halted or is closed. */
  public void loseAll() {
    List<DecisionId> all;
    synchronized (this) {
      all = List.copyOf(waiting.keySet());
    }
    all.forEach(id -> settled(id, false));
  }
}
