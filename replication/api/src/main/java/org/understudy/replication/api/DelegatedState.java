package org.understudy.replication.api;

/**
 * Captures the state of another object, which needs no code for it. Services and resource properties use the target; the
 * container uses this.
 */
public interface DelegatedState extends StateCapture {
  /** The object whose state this captures; always the same one. */
  Object target();

  /** Returns the object that a service knows: the target, or the given object itself when it captures its own state. */
  static Object targetOf(StateCapture state) {
    return state instanceof DelegatedState delegated ? delegated.target() : state;
  }
}
