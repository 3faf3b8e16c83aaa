package org.understudy.replication.core.record;

/**
 * A record that survives a crash: a promise, an accepted value, a journal entry. Each strategy defines the kinds that it
 * needs. Immutable.
 */
public interface DurableRecord {
  RecordKind<?> kind();

  /** Encodes this record; {@link RecordKind#decode} returns an equal one. */
  byte[] encode();

  /**
   * Whether this record makes an earlier one redundant. The earlier one is then not stored if it is still queued, and is
   * deleted if it was stored. A promise supersedes earlier promises; a journal entry supersedes nothing.
   */
  boolean supersedes(DurableRecord earlier);
}
