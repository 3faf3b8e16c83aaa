package org.understudy.replication.api;

import java.util.Locale;

/** How fresh a read is. */
public enum ReadLevel {
  /**
   * Sees every update that was acknowledged to any client before the read began. Runs at the primary under {@code primary-backup}, and at
   * any member of the view under {@code group}.
   */
  LINEARIZABLE,
  /** Sees at least what this client has seen, by its version handle. Runs at any member of the view. */
  SESSION,
  /** Sees some earlier stable state; two reads at two replicas may go back in time. Runs at any member of the view. */
  LOCAL;

  /**
   * Reads the lower-case name used on the wire and in configuration.
   *
   * @throws IllegalArgumentException when it is none of linearizable, session, local
   */
  public static ReadLevel parse(String text) {
    for (ReadLevel level : values()) {
      if (level.wireName().equals(text)) {
        return level;
      }
    }
    throw new IllegalArgumentException("A read level must be linearizable, session or local.");
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
