package org.understudy.simulation;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.understudy.replication.api.StateCapture;

/** The state of a simulated resource. Not safe for concurrent operations; the container excludes them. */
final class Counter implements StateCapture {
  long value;
  /** The execution that wrote this value; 0: none. */
  long writer;
  /** Exceeds the limit of a resource. */
  int padding;
  /** The next capture throws. */
  boolean brittle;

  @Override
  public byte[] captureState() {
    if (brittle) {
      throw new IllegalStateException("simulated: this state cannot be captured");
    }
    byte[] state = ByteBuffer.allocate(2 * Long.BYTES).putLong(value).putLong(writer).array();
    return Arrays.copyOf(state, state.length + padding);
  }

  @Override
  public void restoreState(byte[] state) {
    ByteBuffer bytes = ByteBuffer.wrap(state);
    value = bytes.getLong();
    writer = bytes.getLong();
    padding = 0;
    brittle = false;
  }
}
