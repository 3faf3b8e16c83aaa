package org.understudy.replication.soap;

import java.util.Locale;

/** Whether an operation changes state (Bartoli et al. 2005, 4.3): in the header of a request, or declared in a contract. */
public enum ActionType {
  READ,
  UPDATE;

  /** The name of the element. */
  public static final String NAME = "ActionType";

  /**
   * Reads the lower-case name.
   *
   * @throws IllegalArgumentException when it is neither read nor update
   */
  public static ActionType parse(String text) {
    for (ActionType type : values()) {
      if (type.wireName().equals(text)) {
        return type;
      }
    }
    throw new IllegalArgumentException("an ActionType must be read or update.");
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
