package org.understudy.wsrf.property;

import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.property.ResourceProperties;
import org.understudy.replication.api.property.ResourceProperty;

/** A number whose next reading a test can delay. */
@ResourceProperties(namespace = "urn:dial", document = "Dial")
public final class Dial implements StateCapture {
  /** Whether the next reading waits; it resets this. */
  static final AtomicBoolean DELAYED = new AtomicBoolean();

  /** Delayed readings that have the number. */
  static final Semaphore READ = new Semaphore(0);

  /** Delayed readings that may go on. */
  static final Semaphore GO = new Semaphore(0);

  private int number;

  void turn(int by) {
    number += by;
  }

  @ResourceProperty("Number")
  public int number() {
    int read = number;
    if (DELAYED.compareAndSet(true, false)) {
      READ.release();
      GO.acquireUninterruptibly();
    }
    return read;
  }

  @Override
  public byte[] captureState() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  @Override
  public void restoreState(byte[] state) {
    number = ByteBuffer.wrap(state).getInt();
  }
}
