package org.understudy.session;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicBoolean;
import org.understudy.replication.runtime.share.Reservation;

/** Holds the reservation of a request until Tomcat has ended the request. Thread-safe. */
final class RequestMemory implements AsyncListener {
  private final Reservation reservation;
  private final AtomicBoolean ended = new AtomicBoolean();

  /** @param reservation released at the end */
  RequestMemory(Reservation reservation) {
    this.reservation = reservation;
  }

  /** Ends the hold when a thread leaves a request that is not asynchronous, else when its asynchronous part ends. */
  void leave(HttpServletRequest request) {
    if (request.isAsyncStarted()) {
      request.getAsyncContext().addListener(this);
    } else {
      end();
    }
  }

  private void end() {
    if (ended.compareAndSet(false, true)) {
      reservation.release();
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
