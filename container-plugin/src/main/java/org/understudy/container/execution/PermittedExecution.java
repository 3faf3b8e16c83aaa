package org.understudy.container.execution;

import org.understudy.replication.core.request.Outcome;
import org.understudy.wsrf.resource.ResourceTransaction;

/** What happens to the transaction of one execution that a replica has permitted. Belongs to one request. */
public interface PermittedExecution extends AutoCloseable {
  /** Sets the transaction, which holds its lock. This execution releases it. */
  void entered(ResourceTransaction transaction);

  /** Called when the transaction has begun, before the method runs. */
  default void begun() {}

  /**
   * Captures what the method changed, after it has returned.
   *
   * @throws RuntimeException when a state cannot be captured; then the execution fails
   */
  void capture();

  /** Reports the outcome to the replica. */
  void end(Outcome outcome);

  boolean hasEnded();

  /** If no outcome was reported, undoes the execution, and reports it as abandoned. */
  @Override
  void close();
}
