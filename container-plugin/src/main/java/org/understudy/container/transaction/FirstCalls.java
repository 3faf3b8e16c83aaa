package org.understudy.container.transaction;

import java.util.function.Function;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.runtime.share.LocalShares;

/**
 * Calls that wait while a coordinator registers this group: each occupies a thread, so their number is limited. A client whose coordinators
 * never answer occupies a quarter. Thread-safe.
 */
final class FirstCalls {
  private static final int MAX = 64;

  private final LocalShares places = new LocalShares("first calls of transactions that wait for their coordinators here: %d", MAX);

  /**
   * Registers this group. Blocks.
   *
   * @param registration returns what the client gets if this group cannot take part, or null
   * @return what the client gets instead of the call; null when it may be executed
   */
  RefusedCallException register(OpenTransaction transaction, Function<OpenTransaction, RefusedCallException> registration) {
    String owner = transaction.owner();
    String full = places.reserve(owner, 1);
    if (full != null) {
      return OpenTransaction.refused(FailureCode.Overloaded, full + " The call was not executed.");
    }
    try {
      return registration.apply(transaction);
    } finally {
      places.release(owner, 1);
    }
  }
}
