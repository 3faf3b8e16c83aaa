package org.understudy.replication.runtime;

/** The state of the resources as one replica knows it: what live objects are made from. Thread-safe; never blocks. */
public interface ReplicatedState {
  /** The state of a resource that live objects are to show; null: there is none. */
  byte[] state(String resource);

  /**
   * Grows whenever live objects made from {@link #state} before may be out of date for this resource: compare it to know
   * whether to restore again. What a primary's own executions change in place does not change it.
   */
  long stateVersion(String resource);

  /**
   * The version of a resource: the position of the last update that changed it, the same at every replica. Of one that does
   * not exist, a position at which it did not. Call this before {@link #state}: then it is that of the state, or lower.
   *
   * <p>Of a key that ends with a slash: a position up to which every {@link StateListener} has been notified. Call this
   * before reading what a listener has gathered of all keys that begin so.
   */
  long version(String resource);
}
