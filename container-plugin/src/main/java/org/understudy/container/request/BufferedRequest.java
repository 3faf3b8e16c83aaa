package org.understudy.container.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.container.intake.BodyStream;
import org.understudy.container.intake.ReceivedBody;
import org.understudy.soap.mime.Multipart;

/**
 * A request whose body has been read, for the service to read again. The body is in UTF-8, whatever the original encoding.
 * The action is removed, so that the service's stack selects the operation by the body's element as this plugin does.
 * Otherwise a client could send a different action and have an update executed as a read.
 */
final class BufferedRequest extends HttpServletRequestWrapper {
  /** The attribute with the latest of these. */
  private static final String LATEST = BufferedRequest.class.getName();
  /** By this Tomcat notes that a filter does not support asynchronous requests. */
  private static final String ASYNCHRONOUS = "org.apache.catalina.ASYNC_SUPPORTED";

  private final BodyStream body;
  private final int length;
  private final String contentType;
  private final String servicePath;
  private final ServiceRun run;
  private final ExecutionWatch clock;
  /** Names of the attributes that this execution has set. */
  private final Set<String> attributes = ConcurrentHashMap.newKeySet();
  /** The latest one that the service's stack has started, or null. */
  private volatile ServiceSuspension suspension;
  /** Whether the service may suspend the request. */
  private volatile boolean asynchronous = true;

  /**
   * @param run what the service's stack suspends with {@link #startAsync()}
   * @param message in UTF-8
   * @param servicePath what the service sees as its path, whatever resource the URL names behind it
   */
  BufferedRequest(ServiceRun run, ExecutionWatch clock, Multipart.Written message, String servicePath) {
    super(run.exchange.request);
    this.run = run;
    this.clock = clock;
    this.body = new BodyStream(message.bytes());
    this.length = message.bytes().length;
    this.contentType = message.contentType();
    this.servicePath = servicePath;
    // An earlier execution was rolled back: this one must not find what its stack left, least of all its continuation.
    if (super.getAttribute(LATEST) instanceof BufferedRequest earlier) {
      earlier.attributes.forEach(super::removeAttribute);
    }
    super.setAttribute(LATEST, this);
  }

  private static boolean isReplaced(String header) {
    return header.equalsIgnoreCase("Content-Type")
        || header.equalsIgnoreCase("Content-Length")
        || header.equalsIgnoreCase("Transfer-Encoding")
        || header.equalsIgnoreCase("Content-Encoding")
        || header.equalsIgnoreCase("SOAPAction");
  }

  private String replacement(String header) {
    return header.equalsIgnoreCase("Content-Type")
        ? contentType
        : header.equalsIgnoreCase("Content-Length") ? Integer.toString(length) : null;
  }

  @Override
  public String getHeader(String name) {
    return isReplaced(name) ? replacement(name) : super.getHeader(name);
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    if (!isReplaced(name)) {
      return super.getHeaders(name);
    }
    String value = replacement(name);
    return Collections.enumeration(value == null ? List.of() : List.of(value));
  }

  @Override
  public Enumeration<String> getHeaderNames() {
    List<String> names = new ArrayList<>();
    for (Enumeration<String> all = super.getHeaderNames(); all.hasMoreElements(); ) {
      String name = all.nextElement();
      if (!isReplaced(name)) {
        names.add(name);
      }
    }
    names.add("Content-Type");
    names.add("Content-Length");
    return Collections.enumeration(names);
  }

  @Override
  public String getContentType() {
    return contentType;
  }

  @Override
  public String getCharacterEncoding() {
    return "UTF-8";
  }

  @Override
  public int getContentLength() {
    return length;
  }

  @Override
  public long getContentLengthLong() {
    return length;
  }

  @Override
  public String getPathInfo() {
    return servicePath.substring(getServletPath().length());
  }

  @Override
  public String getRequestURI() {
    return getContextPath() + servicePath;
  }

  @Override
  public StringBuffer getRequestURL() {
    StringBuffer url = super.getRequestURL();
    int at = url.indexOf(servicePath);
    if (at >= 0) {
      url.setLength(at + servicePath.length());
    }
    return url;
  }

  /**
   * Reads the whole body.
   *
   * @return null when it is longer than {@code most} bytes
   */
  static byte[] read(HttpServletRequest request, int most) throws IOException {
    ReceivedBody received = ReceivedBody.of(request);
    if (received != null) {
      return received.length() > most ? null : received.bytes();
    }
    long announced = request.getContentLengthLong();
    if (announced > most) {
      return null;
    }
    InputStream in = request.getInputStream();
    byte[] bytes = announced >= 0 ? in.readNBytes((int) announced) : in.readNBytes(most + 1);
    return bytes.length > most ? null : bytes;
  }

  @Override
  public ServletInputStream getInputStream() {
    return body;
  }

  /** Null unless the service's stack has started one. */
  ServiceSuspension suspension() {
    return suspension;
  }

  /** The execution has ended. */
  void ended() {
    if (suspension != null) {
      suspension.ended();
    }
  }

  @Override
  public void setAttribute(String name, Object value) {
    if (name.equals(ASYNCHRONOUS)) {
      // It concerns what the service may do. The plugin's filters support asynchronous requests.
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
      throw new IllegalStateException("The request is asynchronous already, or completed.");
    }
    suspension = new ServiceSuspension(run, clock, request, response);
    if (before != null) {
      before.startedAgain();
    }
    return suspension;
  }
}
