package org.understudy.durability.compiler.forms;

import java.util.Optional;

/**
 * A superclass with a type parameter.
 *
 * @param <T> of what it echoes
 */
public abstract class Base<T> {
  /** Returns it. */
  public Optional<T> echo(T value) {
    return Optional.ofNullable(value);
  }
}
