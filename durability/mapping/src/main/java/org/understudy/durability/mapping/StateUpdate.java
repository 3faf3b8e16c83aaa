package org.understudy.durability.mapping;

import java.util.List;
import java.util.Optional;

/** How the effect of an update method reaches what keeps the state. */
public sealed interface StateUpdate {
  /**
   * Replication: the backups call a method.
   *
   * @param call what they call instead of the method itself with its arguments
   */
  record Repeat(Optional<Call> call) implements StateUpdate {}

  /** Replication: the backups get the whole state. */
  record Capture() implements StateUpdate {}

  /**
   * Database: statements in the request's transaction.
   *
   * @param statements at least one
   * @param when the statements are executed if this value is true, or not null; empty: always
   */
  record Statements(List<SqlStatement> statements, Optional<Expression> when) implements StateUpdate {}

  /** Reconstruction: nothing beyond the memory. */
  record Memory() implements StateUpdate {}
}
