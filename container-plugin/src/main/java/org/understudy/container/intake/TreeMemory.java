package org.understudy.container.intake;

import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.share.Reservation;

/**
 * The memory that a request takes for the tree that handlers and WS-Security get, beside that for its bytes ({@link BodyCost}): an element
 * of four bytes becomes a node.
 */
public final class TreeMemory {
  /** A node of SAAJ, and the node of DOM that it wraps. */
  private static final int NODE_BYTES = 400;
  /** Nodes of one tree: the only request of a client is admitted whatever it takes. */
  private static final int MAX_NODES = 100_000;

  private TreeMemory() {}

  /**
   * Reserves the memory for the tree of an envelope.
   *
   * @return null when it is reserved; else why the request is rejected
   */
  public static Failure reserve(Reservation reservation, byte[] envelope) {
    int elements = elements(envelope);
    if (elements > MAX_NODES) {
      return new Failure(
          FailureCode.BadRequest,
          "The request has more than " + MAX_NODES + " elements, and a service behind handlers, WS-Security or other interceptors gets it"
              + " as a tree. Nothing was executed. Send less at a time.");
    }
    String full = reservation.grow((long) elements * NODE_BYTES);
    return full == null ? null : new Failure(FailureCode.Overloaded, full);
  }

  /** How many elements begin in UTF-8, at most: what looks like one in a comment or a CDATA section counts too. */
  static int elements(byte[] envelope) {
    int count = 0;
    for (int i = 0; i < envelope.length - 1; i++) {
      if (envelope[i] == '<' && envelope[i + 1] != '/') {
        count++;
      }
    }
    return count;
  }
}
