package org.understudy.replication.simulation.checker;

/** The effect of an operation on its resource. */
public enum Action {
  ADD,
  /** Creates the resource with a first value, unless it exists. */
  CREATE,
  DESTROY,
  READ
}
