package org.understudy.replication.runtime.state;

/**
 * The state of the resources as one replica has applied it, from which live objects are restored. Thread-safe; never
 * blocks.
 */
public interface AppliedState {
  /** The state of a resource for live objects; null: none. */
  byte[] state(String resource);

  /**
   * Grows whenever live objects restored from {@link #state} may be stale for this resource: compare it to decide whether
   * to restore again. In-place changes by a primary's own executions do not change it.
   */
  long stateVersion(String resource);

  /**
   * The version of a resource: the position of the last update that changed it, the same at every replica. For a resource
   * that does not exist, a position at which it did not. Call this before {@link #state}: the version is then that of the
   * state, or lower.
   *
   * <p>For a key that ends with a slash: a position up to which every {@link StateListener} has been notified. Call this
   * before reading what a listener has collected for keys with this prefix.
   */
  long version(String resource);
}
