package org.understudy.lab.torture.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Records what happens in one run. Thread-safe. All times are those of {@link #now}, in ns since the history began: one clock
 * for all clients, which are threads of one process.
 */
public final class History {
  private final long began = System.nanoTime();
  private final List<Operation> operations = new ArrayList<>();
  private final List<ClientTransaction> transactions = new ArrayList<>();
  private final List<Cut> cuts = new ArrayList<>();
  private final List<InjectedFault> faults = new ArrayList<>();

  public long now() {
    return System.nanoTime() - began;
  }

  public synchronized void add(Operation operation) {
    operations.add(operation);
  }

  public synchronized void add(ClientTransaction transaction) {
    transactions.add(transaction);
  }

  public synchronized void add(Cut cut) {
    cuts.add(cut);
  }

  public synchronized void add(InjectedFault fault) {
    faults.add(fault);
  }

  /** Whether an update, or the commit of a transaction, has been acknowledged that began at this time or later. */
  public synchronized boolean acknowledgedSince(long time) {
    return transactions.stream()
        .anyMatch(transaction -> transaction.invoked() >= time && transaction.outcome() == TransactionOutcome.COMMITTED)
        || operations.stream().anyMatch(operation -> operation.update() && operation.ok() && operation.invoked() >= time);
  }

  /** A copy of what is recorded, operations and transactions in the order in which they began. */
  public synchronized Recorded recorded() {
    List<Operation> sorted = new ArrayList<>(operations);
    sorted.sort(Comparator.comparingLong(Operation::invoked));
    List<ClientTransaction> begun = new ArrayList<>(transactions);
    begun.sort(Comparator.comparingLong(ClientTransaction::invoked));
    return new Recorded(sorted, begun, cuts, faults);
  }

  /** What is recorded. */
  public record Recorded(
      List<Operation> operations, List<ClientTransaction> transactions, List<Cut> cuts, List<InjectedFault> faults) {
    public Recorded {
      operations = List.copyOf(operations);
      transactions = List.copyOf(transactions);
      cuts = List.copyOf(cuts);
      faults = List.copyOf(faults);
    }

    /** The same faults, with other operations. */
    public Recorded with(List<Operation> others) {
      return new Recorded(others, transactions, cuts, faults);
    }

    /** The same faults and operations, with other transactions. */
    public Recorded withTransactions(List<ClientTransaction> others) {
      return new Recorded(operations, others, cuts, faults);
    }
  }
}
