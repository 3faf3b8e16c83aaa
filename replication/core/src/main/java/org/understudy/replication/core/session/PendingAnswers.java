package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Response;

/**
 * Answers that wait. An update's outcome waits until the update is stable. A read waits until every update that it saw is
 * stable and, if it is linearizable, until the strategy has confirmed that no replica had returned a newer state before it
 * read.
 */
public final class PendingAnswers {
  private record Waiting(long token, Reply.Status status, Outcome outcome) {}

  private final ReplicaSetup setup;
  private final Agreement agreement;
  /** Outcomes by the index that must become stable. */
  private final TreeMap<Long, List<Waiting>> outcomes = new TreeMap<>();
  /** The index for each token among the outcomes. */
  private final Map<Long, Long> indexes = new LinkedHashMap<>();
  private final LinkedHashMap<Long, PendingRead> reads = new LinkedHashMap<>();

  PendingAnswers(ReplicaSetup setup, Agreement agreement) {
    this.setup = setup;
    this.agreement = agreement;
  }

  /** Answers when the update of this index is stable, or now if it is. */
  void whenStable(long index, long token, Reply.Status status, Outcome outcome, Effects out) {
    if (index <= agreement.stable()) {
      answer(token, status, outcome, index, out);
    } else {
      outcomes.computeIfAbsent(index, i -> new ArrayList<>(1)).add(new Waiting(token, status, outcome));
      indexes.put(token, index);
    }
  }

  /** Answers when the read may be answered, or now if it may. */
  void read(long now, PendingRead read, Effects out) {
    if (!answerRead(now, read, out)) {
      reads.put(read.token(), read);
    }
  }

  /** Answers what the new stable index permits. */
  public void advance(long now, Effects out) {
    long stable = agreement.stable();
    while (!outcomes.isEmpty() && outcomes.firstKey() <= stable) {
      long index = outcomes.firstKey();
      for (Waiting one : outcomes.pollFirstEntry().getValue()) {
        indexes.remove(one.token());
        answer(one.token(), one.status(), one.outcome(), index, out);
      }
    }
    answerReads(now, out);
  }

  /** Answers reads that the passing of time or a confirmation permits. */
  public void answerReads(long now, Effects out) {
    if (reads.isEmpty()) {
      return;
    }
    for (Iterator<PendingRead> pending = reads.values().iterator(); pending.hasNext(); ) {
      if (answerRead(now, pending.next(), out)) {
        pending.remove();
      }
    }
  }

  private boolean answerRead(long now, PendingRead read, Effects out) {
    boolean isStable = read.index() <= agreement.stable() || !setup.enforces(Rule.READ_ONLY_STABLE);
    if (!isStable || !agreement.confirmed(now, read)) {
      return false;
    }
    answer(read.token(), Reply.Status.READ, read.outcome(), read.index(), out);
    return true;
  }

  /** Answers with what is known to be stable. */
  public void answer(long token, Reply.Status status, Outcome outcome, long index, Effects out) {
    if (outcome instanceof Failure failure) {
      out.fail(token, failure);
    } else {
      out.reply(token, new Reply((Response) outcome, status, agreement.handle(index), agreement.epoch()));
    }
  }

  /** Removes a caller that has been answered otherwise, if it waits here. */
  void remove(long token) {
    reads.remove(token);
    Long index = indexes.remove(token);
    if (index != null) {
      List<Waiting> waiting = outcomes.get(index);
      waiting.removeIf(one -> one.token() == token);
      if (waiting.isEmpty()) {
        outcomes.remove(index);
      }
    }
  }

  /** The number of waiting callers. */
  public int size() {
    return indexes.size() + reads.size();
  }

  public void failReads(Failure failure, Effects out) {
    reads.keySet().forEach(token -> out.fail(token, failure));
    reads.clear();
  }

  /** Fails the callers that wait for an update to become stable. */
  public void failOutcomes(Failure failure, Effects out) {
    outcomes.values().forEach(waiting -> waiting.forEach(one -> out.fail(one.token(), failure)));
    outcomes.clear();
    indexes.clear();
  }
}
