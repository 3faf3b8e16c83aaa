package org.understudy.durability.mapping;

import java.util.ArrayList;
import java.util.List;

/** Finds all statements of a state object. */
public final class ObjectStatements {
  private ObjectStatements() {}

  /** Returns the statements in the order: tables, queries, updates. */
  public static List<SqlStatement> of(StateObject object) {
    List<SqlStatement> statements = new ArrayList<>(object.instructions().tables());
    object.instructions().queries().forEach(query -> statements.add(query.statement()));
    for (MethodRule rule : object.methods()) {
      if (rule.update().orElse(null) instanceof StateUpdate.Statements update) {
        statements.addAll(update.statements());
      }
    }
    return statements;
  }
}
