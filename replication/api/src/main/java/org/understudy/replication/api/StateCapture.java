package org.understudy.replication.api;

/**
 * What a stateful object does so that its state can live on other replicas: {@code extract_state} and
 * {@code inject_state} of Zhang et al. 2004, section 2.4.
 *
 * <p>Called by one thread at a time for one object, never during one of its operations. Implementations must not block.
 */
public interface StateCapture {
  /**
   * The whole state as bytes. The array belongs to the caller from then on: return a fresh one and keep no reference.
   */
  byte[] captureState();

  /**
   * Replaces the whole state by one that {@link #captureState()} returned on some replica. The array must not be
   * changed, nor kept.
   *
   * @throws IllegalArgumentException when the bytes are not such a state; the replica then refuses the resource
   */
  void restoreState(byte[] state);
}
