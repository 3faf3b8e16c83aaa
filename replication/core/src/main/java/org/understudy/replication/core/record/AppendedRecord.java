package org.understudy.replication.core.record;

/**
 * A record of a journal: it is appended to those of its kind and supersedes none alone. A kind has either such records or
 * others.
 */
public interface AppendedRecord extends DurableRecord {
  /** Its number in the journal: from 1, each one higher than the last. */
  long number();

  /** The records of its kind below this number are redundant when this one is durable; 0 for none. */
  long redundantBelow();

  @Override
  default boolean supersedes(DurableRecord earlier) {
    return earlier instanceof AppendedRecord other && other.kind().equals(kind()) && other.number() < redundantBelow();
  }
}
