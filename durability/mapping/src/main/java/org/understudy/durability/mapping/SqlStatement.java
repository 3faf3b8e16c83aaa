package org.understudy.durability.mapping;

import java.util.List;

/**
 * One statement of SQL.
 *
 * @param place its element
 * @param sql with a question mark for each argument, without comments, and with single spaces
 * @param arguments in the order of the question marks
 */
public record SqlStatement(Place place, String sql, List<Expression> arguments) {
  /** Copies the list. */
  public SqlStatement {
    arguments = List.copyOf(arguments);
  }
}
