package org.understudy.container.transaction;

import java.nio.charset.StandardCharsets;

/**
 * A transaction of a coordinator, as a request's header names it.
 *
 * @param id a URI of 1 to {@value #MAX_ID} bytes that no other transaction has
 * @param context what a provider needs to reach the coordinator, at most {@value #MAX_CONTEXT} bytes; each replica of the group gets the
 *     same bytes, also after a failover. Must not be changed
 */
public record TransactionContext(String id, byte[] context) {
  public static final int MAX_ID = 200;
  public static final int MAX_CONTEXT = 8 << 10;

  /** @throws IllegalArgumentException when the id is empty, or one of both is too long */
  public TransactionContext {
    if (id.isEmpty() || id.getBytes(StandardCharsets.UTF_8).length > MAX_ID) {
      throw new IllegalArgumentException("The id of a transaction is empty, or longer than " + MAX_ID + " bytes.");
    }
    if (context.length > MAX_CONTEXT) {
      throw new IllegalArgumentException("The context of the transaction " + id + " is longer than " + MAX_CONTEXT + " bytes.");
    }
  }
}
