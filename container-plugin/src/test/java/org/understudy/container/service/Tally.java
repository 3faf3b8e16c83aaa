package org.understudy.container.service;

import java.nio.charset.StandardCharsets;
import org.understudy.replication.api.StateCapture;

/** A number. */
public final class Tally implements StateCapture {
  int value;

  @Override
  public byte[] captureState() {
    return Integer.toString(value).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void restoreState(byte[] state) {
    value = Integer.parseInt(new String(state, StandardCharsets.UTF_8));
  }
}
