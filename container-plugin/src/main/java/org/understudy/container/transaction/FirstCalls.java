package org.understudy.container.transaction;

import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.understudy.replication.api.FailureCode;

/** Calls that wait while a coordinator registers this group: each occupies a thread, so their number is limited. Thread-safe. */
final class FirstCalls {
  private static final int MAX = 16;

  private final Semaphore places = new Semaphore(MAX);

  /**
   * Registers this group. Blocks.
   *
   * @param registration returns what the client gets if this group cannot take part, or null
   * @return what the client gets instead of the call; null when it may be executed
   */
  RefusedCallException register(OpenTransaction transaction, Function<OpenTransaction, RefusedCallException> registration) {
    if (!places.tryAcquire()) {
      return OpenTransaction.refused(
          FailureCode.Overloaded,
          MAX + " first calls of transactions wait for their coordinators here. The call was not executed. Retry later.");
    }
    try {
      return registration.apply(transaction);
    } finally {
      places.release();
    }
  }
}
