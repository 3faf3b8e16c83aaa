package org.understudy.container.intake;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.soap.envelope.SoapVersion;

/**
 * Reads the body of a request before it passes the request on. A body that has already arrived, as is usual for small
 * requests, is read at once. Another one is read without blocking a thread: it has a deadline and counts against its client's
 * share of {@link Shares}. An unread body would also block a thread, because Tomcat reads it to its end before the next request.
 * The filter therefore reads the bodies of all methods and of unknown paths. The application's own servlets read their bodies
 * themselves, unless the request addresses a replicated endpoint.
 *
 * <p>A request whose body arrived late is dispatched again and then passes only later filters that are mapped to asynchronous
 * dispatches. Place this filter after the application's filters that must see every request.
 */
public final class BodyFilter implements Filter {
  private static final Logger LOG = LoggerFactory.getLogger(BodyFilter.class);
  /** The request attribute that holds the filter that has read the body. */
  private static final String OWNER = BodyFilter.class.getName();
  private static final int FIRST_BYTES = 16_384;

  private final int limit;
  private final Duration deadline;
  private final Shares held;
  private final Refusal refusal;
  private final Function<HttpServletRequest, String> owner;
  private final Predicate<HttpServletRequest> handled;

  /** Writes a fault as the response. */
  @FunctionalInterface
  public interface Refusal {
    void send(HttpServletRequest request, HttpServletResponse response, SoapVersion version, Failure failure)
        throws IOException;
  }

  /**
   * @param limit the longest body, in bytes
   * @param deadline from a request's headers to the end of its body
   * @param owner returns the client against whose share a request counts
   * @param handled whether this filter reads the body of a request
   */
  public BodyFilter(
      int limit,
      Duration deadline,
      Shares held,
      Refusal refusal,
      Function<HttpServletRequest, String> owner,
      Predicate<HttpServletRequest> handled) {
    this.limit = limit;
    this.deadline = deadline;
    this.held = held;
    this.refusal = refusal;
    this.owner = owner;
    this.handled = handled;
  }

  int limit() {
    return limit;
  }

  Duration deadline() {
    return deadline;
  }

  Shares held() {
    return held;
  }

  String tooLong() {
    return "The request is larger than " + limit + " bytes, the limit of this server.";
  }

  @Override
  public void doFilter(ServletRequest servletRequest, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest request = (HttpServletRequest) servletRequest;
    Object owner = request.getAttribute(OWNER);
    if (owner == null && request.isAsyncSupported() && handled.test(request)) {
      owner = this;
      request.setAttribute(OWNER, this);
      ReceivedBody received = hasBody(request) ? read(request, (HttpServletResponse) response) : ReceivedBody.NONE;
      if (received == null) {
        return;
      }
      received.keepIn(request);
    }
    // A body that another instance of this filter has read is passed on by that instance.
    boolean own = owner == this && ReceivedBody.of(request) != null;
    chain.doFilter(own ? new ReceivedRequest(request) : request, response);
  }

  private static boolean hasBody(HttpServletRequest request) {
    long announced = request.getContentLengthLong();
    return announced > 0
        || announced < 0 && (request.getHeader("Transfer-Encoding") != null || !request.getProtocol().startsWith("HTTP/1"));
  }

  /** Returns the body, or null when it has not arrived yet and the request has become asynchronous. */
  private ReceivedBody read(HttpServletRequest request, HttpServletResponse response) throws IOException {
    long announced = request.getContentLengthLong();
    byte[] bytes = new byte[(int) Math.max(0, Math.min(announced, FIRST_BYTES))];
    int length = 0;
    if (announced > 0 && announced <= limit) {
      ServletInputStream in = request.getInputStream();
      // Reading no more than is available never blocks.
      while (length < announced && in.available() > 0) {
        if (length == bytes.length) {
          bytes = Arrays.copyOf(bytes, (int) Math.min(announced, 4L * bytes.length));
        }
        int count = in.read(bytes, length, bytes.length - length);
        if (count < 0) {
          break;
        }
        length += count;
      }
      if (length == announced) {
        return new ReceivedBody(bytes, length);
      }
    }
    AsyncContext async = request.startAsync(request, response);
    String client = owner.apply(request);
    long reserved = Configuration.HELD_REQUEST_BYTES + (long) bytes.length;
    String full = held.reserve(client, reserved);
    if (full == null) {
      new ArrivingBody(this, request, async, bytes, length, client, reserved).begin();
    } else {
      // With a listener Tomcat reads without blocking, also the rest that it drops after the response.
      request.getInputStream().setReadListener(IgnoredBody.LISTENER);
      refuse(request, async, FailureCode.Overloaded, full);
    }
    return null;
  }

  /** Sends a fault before the body has been read. The connection cannot be reused. */
  void refuse(HttpServletRequest request, AsyncContext async, FailureCode code, String why) {
    HttpServletResponse response = (HttpServletResponse) async.getResponse();
    SoapVersion version = SoapVersion.ofContentType(request.getContentType());
    try {
      response.setHeader("Connection", "close");
      refusal.send(request, response, version, new Failure(code, why));
    } catch (IOException | IllegalStateException e) {
      LOG.debug("The client closed its connection before the response was sent.", e);
    }
    try {
      async.complete();
    } catch (IllegalStateException e) {
      LOG.debug("The client has closed its connection.", e);
    }
  }
}
