package org.understudy.container.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.soap.mime.Multipart;

/** The request that the service's stack sees during one execution. The service may suspend it. */
final class BufferedRequest extends ReadRequest {
  /** The request attribute that holds the latest instance. */
  private static final String LATEST = BufferedRequest.class.getName();
  /** The attribute in which Tomcat records whether all filters support asynchronous requests. */
  private static final String ASYNCHRONOUS = "org.apache.catalina.ASYNC_SUPPORTED";

  private final ServiceRun run;
  private final ExecutionWatch clock;
  /** Names of the attributes that this execution has set. */
  private final Set<String> attributes = ConcurrentHashMap.newKeySet();
  /** The latest suspension that the service's stack has started, or null. */
  private volatile ServiceSuspension suspension;
  /** Whether the service may suspend the request. */
  private volatile boolean asynchronous = true;

  /**
   * @param run the execution that the service's stack suspends with {@link #startAsync()}
   * @param message in UTF-8
   * @param servicePath the path that the service sees, without the resource that the URL may name after it; null for that of the URL
   */
  BufferedRequest(ServiceRun run, ExecutionWatch clock, Multipart.Written message, String servicePath) {
    super(run.exchange.request, message, servicePath);
    this.run = run;
    this.clock = clock;
    // An earlier execution was rolled back: its attributes, above all CXF's continuation, must not leak into this one.
    if (super.getAttribute(LATEST) instanceof BufferedRequest earlier) {
      earlier.attributes.forEach(super::removeAttribute);
    }
    super.setAttribute(LATEST, this);
  }

  /** Returns the latest suspension; null if the service's stack has started none. */
  ServiceSuspension suspension() {
    return suspension;
  }

  /** Notifies the listeners of the service that the execution has ended. */
  void ended() {
    if (suspension != null) {
      suspension.ended();
    }
  }

  @Override
  public void setAttribute(String name, Object value) {
    if (name.equals(ASYNCHRONOUS)) {
      // The attribute restricts the service only: the plugin's filters support asynchronous requests.
      asynchronous = Boolean.TRUE.equals(value);
      return;
    }
    attributes.add(name);
    super.setAttribute(name, value);
  }

  @Override
  public boolean isAsyncSupported() {
    return asynchronous;
  }

  @Override
  public boolean isAsyncStarted() {
    ServiceSuspension started = suspension;
    return started != null && started.isWaiting();
  }

  @Override
  public AsyncContext getAsyncContext() {
    ServiceSuspension started = suspension;
    if (started == null) {
      throw new IllegalStateException("The request is not asynchronous.");
    }
    return started;
  }

  @Override
  public AsyncContext startAsync() {
    return startAsync(this, run.captured());
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    if (!asynchronous) {
      throw new IllegalStateException("A filter of the web application does not support asynchronous requests.");
    }
    ServiceSuspension before = suspension;
    if (before != null && (before.isWaiting() || before.isCompleted())) {
      throw new IllegalStateException("The request is already asynchronous, or completed.");
    }
    suspension = new ServiceSuspension(run, clock, request, response);
    if (before != null) {
      before.startedAgain();
    }
    return suspension;
  }
}
