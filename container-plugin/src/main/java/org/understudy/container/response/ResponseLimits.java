package org.understudy.container.response;

import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.limit.ByteLimits;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.peer.FrameSizes;
import org.understudy.replication.runtime.share.Reservation;

/**
 * How long the response of a service may be. A longer one is not even kept in memory: with the size of a heap it would end the
 * replica, and its retries the others.
 *
 * @param update bytes of the response to an update, which each replica stores
 * @param read bytes of the response to a read, which another replica may forward
 */
public record ResponseLimits(long update, long read) {
  /** Bytes of the envelope and of MIME headers, beyond what is stored. */
  private static final int ENVELOPE_BYTES = 1 << 20;
  /** The part of the heap that a response to a read may have: the service, JAXB and the container hold it several times. */
  private static final int HEAP_PART = 16;

  public static ResponseLimits of(ByteLimits limits) {
    return of(limits, Runtime.getRuntime().maxMemory());
  }

  /** @param heap the maximum size of the heap, in bytes */
  static ResponseLimits of(ByteLimits limits, long heap) {
    return new ResponseLimits(limits.reply(), Math.min(FrameSizes.DEFAULTS.frameBytes(), heap / HEAP_PART));
  }

  /**
   * Returns an empty content that keeps no more than a response may have.
   *
   * @param reservation of the request, in which the response to a read counts until the client is answered. That to an update is short, and
   *     a request that has changed something is not rejected for want of memory: without replication nothing can undo it.
   */
  public BoundedContent content(boolean reads, Reservation reservation) {
    int limit = (int) Math.min(Integer.MAX_VALUE, (reads ? read : update) + ENVELOPE_BYTES);
    return reads ? new BoundedContent(limit, reservation::growUntilEnd) : new BoundedContent(limit);
  }

  /** Returns the failure of a request whose response is too long, or that no memory is left for. */
  public Failure tooLong(boolean reads, BoundedContent response) {
    if (response.full() != null) {
      return new Failure(FailureCode.Overloaded, response.full());
    }
    long length = response.length();
    String sentence =
        reads
            ? "The response to this read has at least " + length + " bytes, above the limit of " + read
                + " (64 MiB, or a sixteenth of the replica's heap)."
            : "The reply has at least " + length + " bytes, above the limit of " + update
                + " (understudy.reply.bytes). The request was undone.";
    return new Failure(FailureCode.TooLarge, sentence);
  }
}
