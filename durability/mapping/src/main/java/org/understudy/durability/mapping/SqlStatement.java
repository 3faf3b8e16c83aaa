package org.understudy.durability.mapping;

import java.util.List;

/**
 * One statement of SQL.
 *
 * @param place its element
 * @param sql with a question mark for each argument, without comments, and with single spaces
 * @param arguments in the order of the question marks
 * @param ownDialect whether only the configured database understands it, so that it is not parsed before
 */
public record SqlStatement(Place place, String sql, List<Expression> arguments, boolean ownDialect) {
  /** Copies the list. */
  public SqlStatement {
    arguments = List.copyOf(arguments);
  }
}
