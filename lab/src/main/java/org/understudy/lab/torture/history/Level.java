package org.understudy.lab.torture.history;

import java.util.Locale;

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
    return name().toLowerCase(Locale.ROOT);
  }

  /** @throws IllegalArgumentException for a word that names no level */
  public static Level parse(String word) {
    for (Level level : values()) {
      if (level.word().equals(word)) {
        return level;
      }
    }
    throw new IllegalArgumentException("The level of an operation is update, linearizable, session or local, not " + word + ".");
  }
}
