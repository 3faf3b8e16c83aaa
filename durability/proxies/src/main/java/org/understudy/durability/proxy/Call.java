package org.understudy.durability.proxy;

/**
 * One call of an update method, with its arguments. It is executed again at other replicas. The compiler generates a record a method,
 * whose components are the arguments; their declared types decide what they may contain.
 *
 * @param <T> the interface of the state object
 */
@FunctionalInterface
public interface Call<T> {
  /** Calls the method on another replica's object. What it throws was also thrown at the primary, and is ignored. */
  void on(T object) throws Exception;
}
