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
}
