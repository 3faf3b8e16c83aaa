package org.understudy.replication.runtime.peer;

/**
 * Sizes of messages and frames between replicas, in bytes. Each next size leaves room for the envelope around it, so that
 * everything the core sends fits a frame, in base64 too.
 *
 * @param frameBytes the largest frame or envelope that a replica accepts; a longer one ends the connection
 * @param updateBytes the largest state update: response and changed state, encoded. An execution that makes a larger one is
 *     refused and rolled back
 * @param batchBytes messages are batched up to this size; a single larger message travels alone
 * @param queuedBytes the backlog for one replica beyond which further messages are dropped
 */
public record FrameSizes(int frameBytes, int updateBytes, int batchBytes, long queuedBytes) {
  public static final FrameSizes DEFAULTS = new FrameSizes(64 << 20, 32 << 20, 4 << 20, 64L << 20);
  /** The bytes that a request adds to its update: key, principal, numbers. */
  public static final int REQUEST_BYTES = 16 << 10;

  /** For a mutant: the same sizes with unlimited batches. */
  public FrameSizes uncut() {
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
