package org.understudy.replication.api;

import java.util.List;

/** An incremental state whose updates are calls that other replicas execute again, and which must therefore be deterministic. */
public interface ReplayedState extends IncrementalState {
  /**
   * Returns a fingerprint of the classes, fields and types that states and updates consist of. Replicas with another one are refused when
   * they connect.
   */
  String shape();

  /**
   * Executes the updates again in copies of the objects, and compares them with the whole state that the primary has captured after them.
   * Called on a thread of its own, while operations run: must not use the objects themselves.
   *
   * @param before what {@link #captureState} returned
   * @param updates all that {@link #captureUpdate} returned since then, in order
   * @param after what {@link #captureState} returned next
   * @return what differs, one sentence for each object, without values of the state; empty when nothing does
   * @throws IllegalArgumentException when the bytes are not such states and updates
   */
  List<String> compareReplay(byte[] before, List<byte[]> updates, byte[] after);
}
