package org.understudy.replication.runtime;

/**
 * Sizes of what travels between replicas, in bytes. Each next one leaves room for what surrounds it, so that whatever
 * the core sends fits a frame, in base64 too.
 *
 * @param frameBytes the largest frame or envelope that a replica accepts; a longer one ends the connection
 * @param updateBytes the largest state update: response and changed state as they are encoded. An execution that makes a
 *     larger one is refused and undone
 * @param batchBytes messages are sent together up to this size; a single larger message travels alone
 * @param queuedBytes what may wait for one replica before further messages are dropped
 */
public record FrameSizes(int frameBytes, int updateBytes, int batchBytes, long queuedBytes) {
  public static final FrameSizes DEFAULTS = new FrameSizes(64 << 20, 32 << 20, 4 << 20, 64L << 20);
  /** What a request adds to the update that it leads to: key, principal, numbers. */
  static final int REQUEST_BYTES = 16 << 10;

  /** For a mutant: the same with batches that nothing cuts. */
  FrameSizes uncut() {
    return new FrameSizes(Integer.MAX_VALUE, updateBytes, 1 << 30, 1L << 30);
  }

  public FrameSizes {
    if (updateBytes < 1 || batchBytes < 1 || queuedBytes < batchBytes
        || (updateBytes + (long) batchBytes) * 4 / 3 + REQUEST_BYTES > frameBytes) {
      throw new IllegalArgumentException(
          "A frame holds an update and a batch in base64, and a queue holds a batch: frame " + frameBytes + ", update "
              + updateBytes + ", batch " + batchBytes + ", queue " + queuedBytes + " bytes.");
    }
  }
}
