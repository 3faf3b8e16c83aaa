package org.understudy.container.outgoing;

import java.nio.charset.StandardCharsets;
import org.understudy.replication.api.StateCapture;

/** The state of one resource: what it was told. */
public final class Desk implements StateCapture {
  private String notes = "";

  void note(String text) {
    notes += "[" + text + "]";
  }

  String notes() {
    return notes;
  }

  @Override
  public byte[] captureState() {
    return notes.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void restoreState(byte[] state) {
    notes = new String(state, StandardCharsets.UTF_8);
  }
}
