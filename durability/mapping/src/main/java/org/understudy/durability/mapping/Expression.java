package org.understudy.durability.mapping;

import java.util.List;

/** A value in a call or statement. */
public sealed interface Expression {
  /**
   * {@code arg[0]} or {@code arg[0].owner.name}: an argument of the update, or a property of it.
   *
   * @param index from 0
   * @param properties names of properties, each of the value before it; a property of null is null
   */
  record Argument(int index, List<String> properties) implements Expression {}

  /**
   * {@code returned} or {@code returned.id}: what the update returned, or a property of it.
   *
   * @param properties as of {@link Argument}
   */
  record Returned(List<String> properties) implements Expression {}

  /**
   * {@code row[0]}: a column of the row of a query.
   *
   * @param index from 0
   */
  record Column(int index) implements Expression {}

  /**
   * A number, a string, {@code true}, {@code false} or {@code null}.
   *
   * @param value a {@link Long}, {@link String}, {@link Boolean} or null
   */
  record Literal(Object value) implements Expression {}

  /**
   * {@code new Machine(row[0], row[1])}: an object.
   *
   * @param type the simple or full name of a class
   * @param arguments of its constructor
   */
  record New(String type, List<Expression> arguments) implements Expression {}
}
