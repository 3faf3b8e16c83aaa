package org.understudy.container.style;

import jakarta.jws.WebMethod;
import java.nio.charset.StandardCharsets;
import org.understudy.replication.api.StateCapture;

/** A service that counts what it did. */
public abstract class Counted implements StateCapture {
  int count;

  @Override
  @WebMethod(exclude = true)
  public byte[] captureState() {
    return Integer.toString(count).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  @WebMethod(exclude = true)
  public void restoreState(byte[] state) {
    count = Integer.parseInt(new String(state, StandardCharsets.UTF_8));
  }
}
