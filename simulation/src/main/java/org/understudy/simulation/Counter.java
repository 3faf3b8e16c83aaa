package org.understudy.simulation;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.understudy.replication.api.IncrementalState;

/** The state of a simulated resource, whole or as what is added. Not safe for concurrent operations; the container excludes them. */
final class Counter implements IncrementalState {
  /** Whole states are frequent, because a history is short. */
  private static final int UPDATES_A_WHOLE = 4;

  long value;
  /** The execution that wrote this value; 0: none. */
  long writer;
  /** Exceeds the limit of a resource. */
  int padding;
  /** The next capture throws. */
  boolean brittle;
  /** The value that the last capture or restore left. */
  private long captured;

  @Override
  public byte[] captureState() {
    return bytes(value);
  }

  @Override
  public byte[] captureUpdate() {
    return value % UPDATES_A_WHOLE == 0 ? null : bytes(value - captured);
  }

  private byte[] bytes(long number) {
    if (brittle) {
      throw new IllegalStateException("simulated: this state cannot be captured");
    }
    captured = value;
    byte[] state = ByteBuffer.allocate(2 * Long.BYTES).putLong(number).putLong(writer).array();
    return Arrays.copyOf(state, state.length + padding);
  }

  @Override
  public void restoreState(byte[] state) {
    value = 0;
    applyUpdate(state);
    padding = 0;
    brittle = false;
  }

  @Override
  public void applyUpdate(byte[] update) {
    ByteBuffer bytes = ByteBuffer.wrap(update);
    value += bytes.getLong();
    writer = bytes.getLong();
    captured = value;
  }
}
