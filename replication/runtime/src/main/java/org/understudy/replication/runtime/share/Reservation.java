package org.understudy.replication.runtime.share;

/**
 * The memory of one request, which counts against its client's share from the first byte of the request until its answer is sent and
 * nothing holds the request any more. It has one holder when it is made, and ends when the last one has released it. Thread-safe; does not
 * block.
 */
public final class Reservation {
  private final LocalShares shares;
  private final String owner;
  // Guarded by this.
  private long amount;
  private int holders = 1;

  /** @param owner the client */
  public Reservation(LocalShares shares, String owner) {
    this.shares = shares;
    this.owner = owner;
  }

  /**
   * Reserves more, before it is allocated.
   *
   * @return null when it is reserved; else a sentence that names the limit reached, and nothing has changed
   */
  public synchronized String grow(long more) {
    String full = holders == 0 ? "The request has ended." : shares.grow(owner, amount, more);
    amount += full == null ? more : 0;
    return full;
  }

  /** Like {@link #grow}; permits everything once the request has ended, for an execution that goes on after its client was answered. */
  public synchronized String growUntilEnd(long more) {
    return holders == 0 ? null : grow(more);
  }

  /** Gives back what the request no longer holds. */
  public synchronized void shrink(long less) {
    if (holders > 0) {
      shares.release(owner, less);
      amount -= less;
    }
  }

  /** Adds a holder, which must {@link #release} it once. */
  public synchronized void hold() {
    holders++;
  }

  /** Ends the hold of one holder. */
  public synchronized void release() {
    holders--;
    if (holders == 0) {
      shares.release(owner, amount);
      amount = 0;
    }
  }
}
