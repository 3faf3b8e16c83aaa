package org.understudy.wsat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.understudy.container.transaction.TransactionParticipant;
import org.understudy.container.transaction.Vote;

/** A participant that does nothing, and records what its coordinator asks for. */
final class Ledger implements TransactionParticipant {
  private final Map<String, List<String>> asked = new ConcurrentHashMap<>();
  private final Map<String, Vote> votes = new ConcurrentHashMap<>();
  private volatile Runnable beforePrepare = () -> {};
  private volatile Runnable beforeCommit = () -> {};

  /** What the coordinator asked for in a transaction, in order, each once. */
  List<String> asked(String transaction) {
    return List.copyOf(asked.getOrDefault(transaction, List.of()));
  }

  void votes(String transaction, Vote vote) {
    votes.put(transaction, vote);
  }

  void beforePrepare(Runnable task) {
    beforePrepare = task;
  }

  void beforeCommit(Runnable task) {
    beforeCommit = task;
  }

  private void add(String transaction, String what) {
    List<String> all = asked.computeIfAbsent(transaction, id -> new CopyOnWriteArrayList<>());
    if (!all.contains(what)) {
      all.add(what);
    }
  }

  @Override
  public Vote prepare(String transaction) {
    beforePrepare.run();
    add(transaction, "prepare");
    return votes.getOrDefault(transaction, Vote.PREPARED);
  }

  @Override
  public void commit(String transaction) {
    beforeCommit.run();
    add(transaction, "commit");
  }

  @Override
  public void abort(String transaction) {
    add(transaction, "abort");
  }

  @Override
  public boolean isMember() {
    return true;
  }

  @Override
  public int primary() {
    return 1;
  }

  @Override
  public boolean isPrepared(String transaction) {
    return asked(transaction).equals(List.of("prepare"));
  }

  @Override
  public Set<String> inDoubt() {
    return asked.keySet().stream().filter(this::isPrepared).collect(Collectors.toSet());
  }
}
