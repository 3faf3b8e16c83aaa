package org.understudy.container.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.thread.DaemonThreads;

/**
 * The asynchronous context that the service's stack receives from {@code startAsync()}. The current part of the execution ends
 * without a response. Any thread resumes the execution with {@link #dispatch()} or ends it with {@link #complete()}; until then
 * the resource stays locked. The container's own asynchronous exchange belongs to the plugin. Thread-safe.
 */
final class ServiceSuspension extends Suspension implements AsyncContext {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceSuspension.class);
  /** The default of the servlet specification. */
  private static final long DEFAULT_TIMEOUT_MS = 30_000;

  private enum State {
    /** Waits for {@link #dispatch} or {@link #complete}. */
    STARTED,
    DISPATCHED,
    COMPLETED,
    /** The service's own timeout has passed, and no listener has resumed or completed the execution. */
    TIMED_OUT,
    /** The execution has continued, or has been dropped. */
    OVER
  }

  /** A listener, with the request and response for its events. */
  private record Listener(AsyncListener target, ServletRequest request, ServletResponse response) {}

  /** Calls one method of a listener. */
  @FunctionalInterface
  private interface Event {
    void on(AsyncListener listener, AsyncEvent event) throws IOException;
  }

  private final ServiceRun run;
  private final ExecutionWatch clock;
  private final ServletRequest request;
  private final ServletResponse response;
  // Guarded by this.
  private final List<Listener> listeners = new ArrayList<>(1);
  private State state = State.STARTED;
  /** The thread that notifies listeners of the timeout, or null. */
  private Thread notifier;
  private long timeoutMs = DEFAULT_TIMEOUT_MS;
  private Future<?> timer;

  ServiceSuspension(ServiceRun run, ExecutionWatch clock, ServletRequest request, ServletResponse response) {
    super(run.exchange);
    this.run = run;
    this.clock = clock;
    this.request = request;
    this.response = response;
  }

  /** Whether the current part leaves the execution suspended. */
  synchronized boolean isWaiting() {
    return state == State.STARTED || state == State.DISPATCHED;
  }

  synchronized boolean isTimedOut() {
    return state == State.TIMED_OUT;
  }

  synchronized boolean isCompleted() {
    return state == State.COMPLETED;
  }

  /** Starts the service's own timeout, after the part that started this has ended. */
  synchronized void startTimeout() {
    if (state == State.STARTED && timeoutMs > 0) {
      try {
        timer = clock.callAfter(timeoutMs, this::timeOut);
      } catch (RejectedExecutionException e) {
        LOG.debug("The web application is stopping.", e);
      }
    }
  }

  ServiceRun run() {
    return run;
  }

  /** Marks a dispatched execution as resumed: the next part begins. */
  synchronized void markResumed() {
    state = state == State.DISPATCHED ? State.OVER : state;
  }

  @Override
  void dropped() {
    synchronized (this) {
      state = State.OVER;
      cancelTimer();
    }
    LOG.debug("An execution that the service had suspended is dropped.");
    notifyListeners(
        (listener, event) -> listener.onError(event), new IOException("The client has been answered without the service's response."));
    run.drop();
  }

  /** Notifies the listeners that the execution has ended. */
  void ended() {
    notifyListeners((listener, event) -> listener.onComplete(event), null);
  }

  /** Notifies the listeners that the service suspends the request again, in the next part. */
  void startedAgain() {
    notifyListeners((listener, event) -> listener.onStartAsync(event), null);
  }

  private void timeOut() {
    List<Listener> all;
    synchronized (this) {
      if (state != State.STARTED) {
        return;
      }
      notifier = Thread.currentThread();
      all = List.copyOf(listeners);
    }
    for (Listener one : all) {
      notify(one, (listener, event) -> listener.onTimeout(event), null);
      if (isResumed()) {
        end();
      }
    }
    synchronized (this) {
      notifier = null;
      if (state != State.STARTED) {
        return;
      }
      state = State.TIMED_OUT;
    }
    end();
  }

  private synchronized boolean isResumed() {
    return state == State.DISPATCHED || state == State.COMPLETED;
  }

  private void notifyListeners(Event event, Throwable why) {
    List<Listener> all;
    synchronized (this) {
      all = List.copyOf(listeners);
    }
    all.forEach(one -> notify(one, event, why));
  }

  private void notify(Listener one, Event event, Throwable why) {
    try {
      event.on(one.target(), new AsyncEvent(this, one.request(), one.response(), why));
    } catch (IOException | RuntimeException e) {
      LOG.warn("An AsyncListener of the service failed: {}. The execution goes on.", one.target().getClass().getName(), e);
    }
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  private void leaveStarted(State next) {
    synchronized (this) {
      if (state != State.STARTED) {
        throw new IllegalStateException(
            "The execution does not wait any more: it was resumed or completed, or its client has received another response.");
      }
      state = next;
      cancelTimer();
      if (notifier == Thread.currentThread()) {
        // The execution continues when this listener has returned: CXF's resumes it first and then marks it as timed out.
        return;
      }
    }
    end();
  }

  @Override
  public void dispatch() {
    leaveStarted(State.DISPATCHED);
  }

  @Override
  public void complete() {
    leaveStarted(State.COMPLETED);
  }

  @Override
  public void dispatch(String path) {
    throw new IllegalStateException("A replicated request cannot be dispatched to " + path + ", only to its own service.");
  }

  @Override
  public void dispatch(ServletContext context, String path) {
    dispatch(path);
  }

  @Override
  public void start(Runnable task) {
    new DaemonThreads("understudy-asynchronous-").newThread(task).start();
  }

  @Override
  public ServletRequest getRequest() {
    return request;
  }

  @Override
  public ServletResponse getResponse() {
    return response;
  }

  @Override
  public boolean hasOriginalRequestAndResponse() {
    return request == run.request() && response == run.captured();
  }

  @Override
  public void addListener(AsyncListener listener) {
    addListener(listener, request, response);
  }

  @Override
  public synchronized void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
    listeners.add(new Listener(listener, request, response));
  }

  @Override
  public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
    try {
      return type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new ServletException("The listener " + type.getName() + " cannot be instantiated: " + e, e);
    }
  }

  @Override
  public synchronized void setTimeout(long ms) {
    timeoutMs = ms;
  }

  @Override
  public synchronized long getTimeout() {
    return timeoutMs;
  }
}
