package org.understudy.durability.mapping;

import java.util.List;

/**
 * The call of a method of the state object, for example {@code insertBill(row[0], row[1])}.
 *
 * @param place its element
 * @param method its name
 * @param arguments in order
 */
public record Call(Place place, String method, List<Expression> arguments) {
  /** Copies the list. */
  public Call {
    arguments = List.copyOf(arguments);
  }
}
