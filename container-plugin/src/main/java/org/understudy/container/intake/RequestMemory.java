package org.understudy.container.intake;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.understudy.replication.runtime.share.Reservation;

/** Holds the reservation of a request until the container has ended the request. Other holders may keep it for longer. Thread-safe. */
public final class RequestMemory implements AsyncListener {
  private static final String ATTRIBUTE = RequestMemory.class.getName();

  private final Reservation reservation;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Queue<Runnable> atEnd = new ConcurrentLinkedQueue<>();

  private RequestMemory(Reservation reservation) {
    this.reservation = reservation;
  }

  /** Begins to hold the reservation of a request. */
  static void begin(ServletRequest request, Reservation reservation) {
    request.setAttribute(ATTRIBUTE, new RequestMemory(reservation));
  }

  private static RequestMemory held(ServletRequest request) {
    return (RequestMemory) request.getAttribute(ATTRIBUTE);
  }

  /** Returns the reservation of a request that {@link BodyFilter} has passed on; null for one without a body. */
  public static Reservation of(ServletRequest request) {
    RequestMemory memory = held(request);
    return memory == null ? null : memory.reservation;
  }

  /** Runs an action when the container has ended a request, just after its memory is released. */
  public static void atEnd(ServletRequest request, Runnable action) {
    RequestMemory memory = held(request);
    if (memory != null) {
      memory.atEnd.add(action);
    }
  }

  /** Ends the hold early, for a request that no longer needs its body and counts elsewhere. */
  static void end(ServletRequest request) {
    RequestMemory memory = held(request);
    if (memory != null) {
      memory.end();
    }
  }

  /** Ends the hold when a thread of the container leaves a request that is not asynchronous, else when its asynchronous part ends. */
  public static void leave(ServletRequest request) {
    RequestMemory memory = held(request);
    if (memory != null && request.isAsyncStarted()) {
      request.getAsyncContext().addListener(memory);
    } else if (memory != null) {
      memory.end();
    }
  }

  private void end() {
    if (ended.compareAndSet(false, true)) {
      try {
        // First: the client may have its answer, and send the next request.
        reservation.release();
      } finally {
        atEnd.forEach(Runnable::run);
      }
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    end();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    // onComplete follows.
  }

  @Override
  public void onError(AsyncEvent event) {
    // onComplete follows.
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
