package org.understudy.replication.core.request;

import org.understudy.replication.api.SessionId;

/** The identity of a request: retries have the same one. */
public sealed interface RequestKey {
  /**
   * A request of a session.
   *
   * @param sequence one number for each invocation, from 1
   */
  record OfSession(SessionId session, long sequence) implements RequestKey {}

  /** The opening of a session: 128 bits that only the group can derive from the client's nonce and principal. */
  record OfNonce(long high, long low) implements RequestKey {
    /**
     * The id of the session that the update with this index opens in this epoch. Every update gives a different id, so an
     * ended session never comes back.
     */
    public SessionId sessionOf(long epoch, long index) {
      return new SessionId(mixed(high ^ mixed(epoch)), mixed(low ^ mixed(index)));
    }

    /** Steele et al. 2014 (SplitMix): a bijection in which every bit depends on every other. */
    private static long mixed(long word) {
      long mixed = (word ^ word >>> 30) * 0xbf58476d1ce4e5b9L;
      mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
      return mixed ^ mixed >>> 31;
    }
  }

  /**
   * A request outside a session: 128 bits of a hash of the deployed endpoint's name, resource, principal and {@code
   * wsa:MessageID}.
   */
  record OfMessageId(long high, long low) implements RequestKey {}
}
