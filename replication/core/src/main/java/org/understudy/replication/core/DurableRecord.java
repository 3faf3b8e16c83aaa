package org.understudy.replication.core;

/**
 * Something that a replica must remember over a crash: a promise, an accepted value, an entry of a journal. Each strategy
 * defines the kinds that it needs. Immutable.
 */
public interface DurableRecord {
  RecordKind<?> kind();

  /** Bytes from which {@link RecordKind#decode} makes an equal record. */
  byte[] encode();

  /**
   * Whether this record says all that an earlier one says. Then the earlier one is not stored, if it still waits, and not
   * kept, if it was. A promise supersedes the promises before it, an entry of a journal supersedes nothing.
   */
  boolean supersedes(DurableRecord earlier);
}
