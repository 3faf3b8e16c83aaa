package org.understudy.replication.core.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The durable records of a replica's earlier incarnations, from which the next one starts. Immutable.
 *
 * <p>A snapshot of the state and the journal entries after it are records too, of kinds of their own: a snapshot supersedes
 * the entries that it includes, so {@link #all} returns the tail. No strategy stores these today.
 */
public final class Recovered {
  /** For a replica that starts for the first time, has lost its disk, or has a strategy that stores nothing. */
  public static final Recovered NOTHING = new Recovered(List.of());

  private final List<DurableRecord> records;

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

  /** The records of this kind that no later one supersedes, in the order in which they were stored. */
  public <R extends DurableRecord> List<R> all(RecordKind<R> kind) {
    return records.stream().filter(kind.type()::isInstance).map(kind.type()::cast).toList();
  }

  /** The record of this kind that was stored last. */
  public <R extends DurableRecord> Optional<R> newest(RecordKind<R> kind) {
    List<R> all = all(kind);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }

  @Override
  public String toString() {
    return records.toString();
  }
}
