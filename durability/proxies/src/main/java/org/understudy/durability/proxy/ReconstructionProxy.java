package org.understudy.durability.proxy;

import java.util.function.Supplier;

/**
 * A state object that its users bring back after a failure (thesis: reconstruction proxy). It begins empty, is empty after a failover, and
 * is emptied when an action or a transaction that has changed it is undone. {@link #startA} and {@link #commitA} keep nothing.
 *
 * <p>A generated proxy passes reads on, and calls {@link #update} before each update method.
 *
 * @param <T> the interface of the state object
 */
public abstract non-sealed class ReconstructionProxy<T> extends LocalObjectProxy<T> {
  /**
   * @param name of the object in the mapping
   * @param empty makes an object without content
   */
  protected ReconstructionProxy(String name, Supplier<? extends T> empty) {
    super(name, empty, false);
  }

  /**
   * Called before each update method.
   *
   * @throws IllegalStateException outside an action
   */
  protected final void update() {
    changing();
  }

  /** Empties the object. */
  @Override
  public final void init() {
    loadNow();
  }

  /** Empties the object. */
  @Override
  public final void recover() {
    init();
  }

  @Override
  final T load() {
    return empty();
  }
}
