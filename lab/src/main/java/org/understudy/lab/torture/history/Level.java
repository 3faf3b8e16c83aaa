package org.understudy.lab.torture.history;

/** What was promised to an operation. */
public enum Level {
  /** An update: linearizable, and executed exactly once. */
  UPDATE,
  /** A read that shows every operation that ended before it began. */
  LINEARIZABLE,
  /** A read that shows at least what its client has seen. */
  SESSION,
  /** A read of some value that the resource has had. */
  LOCAL;

  /** The name in files and on the wire. */
  public String word() {
    return Words.of(this);
  }

  /** @throws IllegalArgumentException for a word that names no level */
  public static Level parse(String word) {
    return Words.parse(Level.class, "The level of an operation", word);
  }
}
