package org.understudy.replication.core.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The durable records of a replica's earlier incarnations, from which the next one starts. Immutable but for {@link #takeAll}.
 *
 * <p>A journal's checkpoints and entries are records too: a checkpoint supersedes what it includes, so {@link #all} returns it with
 * the tail.
 */
public final class Recovered {
  /** For a replica that starts for the first time, has lost its disk, or has a strategy that stores nothing. */
  public static final Recovered NOTHING = new Recovered(List.of());

  private List<DurableRecord> records;

  private Recovered(List<DurableRecord> records) {
    this.records = List.copyOf(records);
  }

  /** Returns these records with one that was stored after them, without the records that it supersedes. */
  public Recovered with(DurableRecord record) {
    List<DurableRecord> kept = new ArrayList<>(records);
    kept.removeIf(record::supersedes);
    kept.add(record);
    return new Recovered(kept);
  }

  /** Returns these records with others that were stored after them, without those that are superseded. */
  public Recovered with(List<? extends DurableRecord> later) {
    List<DurableRecord> kept = new ArrayList<>(records);
    for (DurableRecord record : later) {
      if (!(record instanceof AppendedRecord appended) || appended.redundantBelow() > 0) {
        kept.removeIf(record::supersedes);
      }
      kept.add(record);
    }
    return new Recovered(kept);
  }

  /** Returns what {@link #all} does, and drops it here: a journal can be large. */
  public <R extends DurableRecord> List<R> takeAll(RecordKind<R> kind) {
    List<R> all = all(kind);
    records = records.stream().filter(record -> !kind.type().isInstance(record)).toList();
    return all;
  }

  /** The records of this kind that no later one supersedes, in the order in which they were stored. */
  public <R extends DurableRecord> List<R> all(RecordKind<R> kind) {
    return records.stream().filter(kind.type()::isInstance).map(kind.type()::cast).toList();
  }

  /** The record of this kind that was stored last. */
  public <R extends DurableRecord> Optional<R> newest(RecordKind<R> kind) {
    List<R> all = all(kind);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }

  public boolean isEmpty() {
    return records.isEmpty();
  }

  @Override
  public String toString() {
    return records.toString();
  }
}
