package org.understudy.replication.api;

/**
 * A state that travels as changes rather than as a whole, so that a small update of a large state is a small message. The container
 * stores what {@link #captureUpdate} returns behind the last whole state, and captures the whole state again when the updates since
 * then have become as large: see {@code docs/services.md}. A state is restored from a whole state and the updates after it, in order.
 *
 * <p>Called by one thread at a time for one object, never during one of its operations, like {@link StateCapture}.
 */
public interface IncrementalState extends StateCapture {
  /**
   * Returns what the operation that has just ended changed. Called at most once after each update, and not after one that is undone.
   * {@link #captureState} may be called instead, or in addition. The array belongs to the caller from then on.
   *
   * @return empty: the operation changed nothing; null: the changes are not known, and the container captures the whole state
   */
  byte[] captureUpdate();

  /**
   * Applies an update of some replica to a state that equals the one before it. The array must not be changed, nor kept.
   *
   * @throws IllegalArgumentException when the bytes are not such an update; the replica then refuses the resource
   */
  void applyUpdate(byte[] update);
}
