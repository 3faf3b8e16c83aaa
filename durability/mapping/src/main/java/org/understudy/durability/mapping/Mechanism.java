package org.understudy.durability.mapping;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How a state object survives the failure of a replica (Zhang 2006, IV.B.2). */
public enum Mechanism {
  /** Every replica has a copy in memory, which follows the primary's. */
  REPLICATION,
  /** The object is in the memory of the primary; tables of a database hold its content. */
  DATABASE,
  /** The object is in the memory of the primary only. After a failure it is empty, and clients fill it again. */
  RECONSTRUCTION;

  /** The name of its element in a mapping. */
  public String element() {
    return name().toLowerCase(Locale.ROOT);
  }

  static List<String> elements() {
    return Arrays.stream(values()).map(Mechanism::element).toList();
  }
}
