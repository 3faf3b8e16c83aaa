package org.understudy.replication.runtime;

import org.understudy.replication.core.Input;

/** What {@link Replica} passes to its core, for tests of other packages. */
public final class Doors {
  private Doors() {}

  /** The input, or null when it is refused before a step. */
  public static Input taken(Input.Requested requested) {
    return InputCheck.invalid(requested.request()) == null ? requested : null;
  }

  /** The input, or null when another one replaces it. */
  public static Input taken(Input.Executed executed) {
    return InputCheck.invalid(executed.outcome(), executed.changes()) == null ? executed : null;
  }
}
