package org.understudy.replication.core.primarybackup;

import java.util.ArrayDeque;
import java.util.Collection;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;

/**
 * As primary: which rows the database need not keep any more. A row that every replica knows from the log is superfluous, unless its
 * request is known by message id: by its row the request is recognised after all replicas were restarted, for as long as by its identity.
 */
final class RowRetention {
  private static final long PAUSE_NANOS = 1_000_000_000L;
  private static final int STEPS = 32;
  /** Updates that the log has prepared, and those that commit in one phase. */
  private static final int KINDS = 2;

  /** The decisions of each kind that were stable at this time. */
  private record Mark(long at, DecisionId[] stable) {}

  private final ReplicaSetup setup;
  /** The highest committed decision of each kind whose mark is stable; null for none. */
  private DecisionId[] stable = new DecisionId[KINDS];
  private DecisionId[] forgotten = new DecisionId[KINDS];
  private final ArrayDeque<Mark> marks = new ArrayDeque<>();
  private long due = Long.MIN_VALUE;

  RowRetention(ReplicaSetup setup) {
    this.setup = setup;
  }

  private static int kind(DecisionId id) {
    return id.isOnePhase() ? 1 : 0;
  }

  /** Called when this primary begins to decide: rows of lower epochs count from now. */
  void begin(long now, long epoch, DecisionId lastCommitted) {
    stable = new DecisionId[KINDS];
    forgotten = new DecisionId[KINDS];
    marks.clear();
    marks.add(new Mark(now, new DecisionId[] {new DecisionId(epoch, 1), null}));
    if (lastCommitted != null) {
      stable(lastCommitted);
    }
  }

  /** Called when the mark of a committed decision is stable. */
  void stable(DecisionId id) {
    DecisionId before = stable[kind(id)];
    stable[kind(id)] = before == null || before.compareTo(id) < 0 ? id : before;
  }

  /**
   * Called from time to time.
   *
   * @param needed decisions whose rows must stay, because not every replica knows them
   * @param ends what is above all decisions so far, for a mutant
   */
  void tick(long now, Collection<DecisionId> needed, DecisionId[] ends, Effects out) {
    if (now < due) {
      return;
    }
    due = now + PAUSE_NANOS;
    boolean whenMarked = setup.enforces(Rule.FORGET_WHEN_MARKED);
    for (int kind = 0; kind < KINDS; kind++) {
      DecisionId below = whenMarked ? lowered(stable[kind], needed) : ends[kind];
      if (below != null && (forgotten[kind] == null || forgotten[kind].compareTo(below) < 0)) {
        forgotten[kind] = below;
        out.forget(below, !setup.enforces(Rule.ROWS_KEEP_IDENTITIES));
      }
    }
    long kept = setup.limits().identityNanos();
    Mark old = null;
    while (!marks.isEmpty() && now - marks.peekFirst().at() >= kept) {
      old = marks.pollFirst();
    }
    if (marks.isEmpty() || now - marks.peekLast().at() >= kept / STEPS) {
      marks.add(new Mark(now, stable.clone()));
    }
    for (int kind = 0; old != null && kind < KINDS; kind++) {
      DecisionId below = lowered(old.stable()[kind], needed);
      if (below != null) {
        out.forget(below, true);
      }
    }
  }

  /**
   * The limit up to which rows may be removed, so that those of the decisions needed stay, and that of the last one: by it the next primary
   * recognises that the database is no older than the log.
   */
  private DecisionId lowered(DecisionId limit, Collection<DecisionId> needed) {
    DecisionId below = limit;
    for (DecisionId id : needed) {
      below = lower(below, id);
    }
    for (DecisionId id : stable) {
      below = id != null && id.equals(last()) ? lower(below, id) : below;
    }
    return below;
  }

  private static DecisionId lower(DecisionId below, DecisionId id) {
    boolean removed = below != null
        && (id.epoch() < below.epoch() || id.epoch() == below.epoch() && kind(id) == kind(below) && id.index() < below.index());
    return removed ? id : below;
  }

  private DecisionId last() {
    return stable[0] == null || stable[1] != null && stable[0].compareTo(stable[1]) < 0 ? stable[1] : stable[0];
  }
}
