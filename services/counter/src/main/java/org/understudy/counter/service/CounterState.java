package org.understudy.counter.service;

import java.nio.ByteBuffer;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.property.ResourceProperties;
import org.understudy.replication.api.property.ResourceProperty;

/** The state of one counter: its value, and padding for those who measure. */
@ResourceProperties(namespace = "http://counter.com", document = "CounterProperties")
public final class CounterState implements StateCapture {
  private int value;
  private byte[] padding = new byte[0];

  /** Needed by the container, which then restores a state into it. */
  public CounterState() {}

  CounterState(int stateBytes) {
    padding = new byte[Math.max(0, stateBytes - Integer.BYTES)];
  }

  int add(int amount) {
    value = Math.addExact(value, amount);
    return value;
  }

  @ResourceProperty("Value")
  int value() {
    return value;
  }

  @Override
  public byte[] captureState() {
    return ByteBuffer.allocate(Integer.BYTES + padding.length).putInt(value).put(padding).array();
  }

  @Override
  public void restoreState(byte[] state) {
    ByteBuffer in = ByteBuffer.wrap(state);
    value = in.getInt();
    padding = new byte[in.remaining()];
    in.get(padding);
  }
}
