package org.understudy.replication.core.record;

import java.util.function.Function;

/**
 * A kind of durable records.
 *
 * @param name of the kind and of its file: lower-case letters, digits and hyphens
 * @param type of its records
 * @param decoder decodes what {@link DurableRecord#encode} wrote, and throws a {@link RuntimeException} for anything else
 */
public record RecordKind<R extends DurableRecord>(String name, Class<R> type, Function<byte[], R> decoder) {
  public RecordKind {
    if (!name.matches("[a-z0-9-]+")) {
      throw new IllegalArgumentException(
          "The kind of records \"" + name + "\" is not a valid file name: use lower-case letters, digits and hyphens.");
    }
  }

  /** Whether records of this kind are appended, see {@link AppendedRecord}; otherwise each supersedes the last. */
  public boolean isAppended() {
    return AppendedRecord.class.isAssignableFrom(type);
  }

  /** Decodes a record. Throws a {@link RuntimeException} for invalid bytes. */
  public R decode(byte[] bytes) {
    return decoder.apply(bytes);
  }
}
