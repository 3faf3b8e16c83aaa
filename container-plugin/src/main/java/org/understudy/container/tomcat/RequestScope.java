package org.understudy.container.tomcat;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import java.util.List;

/**
 * The request scope of one request: active on the thread of the current part, and on none between two parts. One thread at a time uses
 * it, in the order of Tomcat's parts.
 */
final class RequestScope implements AsyncListener {
  private static final String ATTRIBUTE = RequestScope.class.getName();

  private final List<ServletRequestListener> listeners;
  private final ServletRequestEvent event;
  /** Tomcat has called the listeners before the first part. */
  private volatile boolean active = true;

  private RequestScope(List<ServletRequestListener> listeners, ServletRequestEvent event) {
    this.listeners = listeners;
    this.event = event;
  }

  /** Returns the scope of a request, which begins with its first part. */
  static RequestScope of(ServletRequest request, List<ServletRequestListener> listeners) {
    if (request.getAttribute(ATTRIBUTE) instanceof RequestScope begun) {
      return begun;
    }
    RequestScope begun = new RequestScope(listeners, new ServletRequestEvent(request.getServletContext(), request));
    request.setAttribute(ATTRIBUTE, begun);
    return begun;
  }

  /** Activates the scope on this thread. */
  void resume() {
    if (!active) {
      active = true;
      listeners.forEach(listener -> listener.requestInitialized(event));
    }
  }

  /** Takes the scope from this thread, in reverse order, as Tomcat does. The request is asynchronous, so its beans stay. */
  void suspend() {
    active = false;
    for (int i = listeners.size() - 1; i >= 0; i--) {
      listeners.get(i).requestDestroyed(event);
    }
  }

  /** Activates the scope before Tomcat calls {@code requestDestroyed}, on the same thread, so that it ends for good. */
  @Override
  public void onComplete(AsyncEvent ignored) {
    resume();
  }

  @Override
  public void onTimeout(AsyncEvent ignored) {
    // The request completes afterwards.
  }

  @Override
  public void onError(AsyncEvent ignored) {
    // The request completes afterwards.
  }

  @Override
  public void onStartAsync(AsyncEvent ignored) {
    // The filter adds this again after the part.
  }
}
