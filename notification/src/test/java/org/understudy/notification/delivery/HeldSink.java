package org.understudy.notification.delivery;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A sink whose attempts wait for the test to say what becomes of them. */
final class HeldSink implements Sink {
  private final BlockingQueue<Attempt> attempts = new LinkedBlockingQueue<>();

  record Attempt(Delivery delivery, Outcome outcome) {
    long position() {
      return delivery.notification().position();
    }
  }

  @Override
  public void send(Delivery delivery, Outcome outcome) {
    attempts.add(new Attempt(delivery, outcome));
  }

  /** The next attempt; fails when there is none within a generous time. */
  Attempt next() throws InterruptedException {
    Attempt attempt = attempts.poll(30, TimeUnit.SECONDS);
    if (attempt == null) {
      throw new AssertionError("No attempt within 30 s.");
    }
    return attempt;
  }

  /** Takes the next message and says at which position it was. */
  long take() throws InterruptedException {
    Attempt attempt = next();
    attempt.outcome().delivered();
    return attempt.position();
  }

  boolean isEmpty() {
    return attempts.isEmpty();
  }
}
