package org.understudy.container.transaction;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.BranchStore;
import org.understudy.replication.api.decision.DatabaseBacked;
import org.understudy.replication.api.decision.DecidedRow;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.DecisionStore;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.KnownBranch;

/** A database that knows branches. Thread-safe. */
final class TestBranchStore implements DatabaseBacked, DecisionStore, BranchStore {
  private static final Comparator<BranchId> ORDER = Comparator.comparing(BranchId::epoch).thenComparing(BranchId::name);

  final List<KnownBranch> known = new CopyOnWriteArrayList<>();
  final ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();
  volatile long epoch = 5;
  volatile Runnable reading = () -> {};
  volatile Set<String> stuck = Set.of();
  final AtomicInteger reads = new AtomicInteger();

  @Override
  public DecisionStore decisionStore() {
    return this;
  }

  @Override
  public void reload() {}

  @Override
  public BranchStore branches() {
    return this;
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public void end(BranchId id, Decision decision) {
    if (stuck.contains(id.name())) {
      throw new DecisionStoreException("Locked.", null);
    }
    calls.add("end " + decision);
    known.removeIf(one -> one.id().equals(id));
  }

  @Override
  public List<KnownBranch> known(BranchId after) {
    reading.run();
    List<KnownBranch> page =
        known.stream().filter(one -> after == null || ORDER.compare(one.id(), after) > 0)
            .sorted(Comparator.comparing(KnownBranch::id, ORDER)).limit(PAGE).toList();
    if (after == null) {
      reads.incrementAndGet();
    }
    return page;
  }

  @Override
  public void forget(BranchId id) {
    calls.add("forget");
  }

  @Override
  public long fence(long to, DecisionId last) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<DecisionId> committed(Collection<DecisionId> prepared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Decision resolve(DecisionId id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void forget(DecisionId below, byte[] keptFrom) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<DecidedRow> rows(DecisionId after) {
    throw new UnsupportedOperationException();
  }
}
