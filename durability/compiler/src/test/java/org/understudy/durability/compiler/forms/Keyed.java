package org.understudy.durability.compiler.forms;

import java.util.List;

/**
 * A supertype with type parameters.
 *
 * @param <K> of keys
 * @param <V> of values
 */
public interface Keyed<K, V> {
  /** The value of a key. */
  V get(K key);

  /** Adds values. */
  K put(K key, List<V> values);
}
