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
  private final List<Cut> cuts = new ArrayList<>();
  private final List<InjectedFault> faults = new ArrayList<>();

  public long now() {
    return System.nanoTime() - began;
  }

  public synchronized void add(Operation operation) {
    operations.add(operation);
  }

  public synchronized void add(Cut cut) {
    cuts.add(cut);
  }

  public synchronized void add(InjectedFault fault) {
    faults.add(fault);
  }

  /** Whether an update has been acknowledged that began at this time or later. */
  public synchronized boolean acknowledgedSince(long time) {
    return operations.stream().anyMatch(operation -> operation.update() && operation.ok() && operation.invoked() >= time);
  }

  /** A copy of what is recorded, operations in the order in which they began. */
  public synchronized Recorded recorded() {
    List<Operation> sorted = new ArrayList<>(operations);
    sorted.sort(Comparator.comparingLong(Operation::invoked));
    return new Recorded(sorted, cuts, faults);
  }

  /** What is recorded. */
  public record Recorded(List<Operation> operations, List<Cut> cuts, List<InjectedFault> faults) {
    public Recorded {
      operations = List.copyOf(operations);
      cuts = List.copyOf(cuts);
      faults = List.copyOf(faults);
    }

    /** The same faults, with other operations. */
    public Recorded with(List<Operation> others) {
      return new Recorded(others, cuts, faults);
    }
  }
}
