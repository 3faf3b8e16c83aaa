package org.understudy.replication.simulation.checker;

/** What an operation does to its resource. */
public enum Action {
  ADD,
  /** Makes the resource with a first value, unless it exists. */
  CREATE,
  DESTROY,
  READ
}
