package org.understudy.container.response;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/**
 * Hears when an asynchronous request ends, whatever ends it. The container then uses its objects for another client: they must not be used
 * from then on.
 */
public interface EndListener extends AsyncListener {
  /**
   * The request has been completed, the client has closed its connection, or the container stops. Called by a thread of the container,
   * perhaps several times.
   */
  void ended();

  @Override
  default void onError(AsyncEvent event) {
    ended();
  }

  @Override
  default void onTimeout(AsyncEvent event) {
    ended();
  }

  @Override
  default void onComplete(AsyncEvent event) {
    ended();
  }

  @Override
  default void onStartAsync(AsyncEvent event) {}
}
