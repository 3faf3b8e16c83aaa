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
import org.understudy.replication.core.Failure;
import org.understudy.soap.envelope.SoapVersion;

/**
 * Reads the body of a request before anything behind this filter sees it. A body that is there already, as those of small
 * requests are, is read at once. For another one no thread waits: it has a deadline, and counts against its client's share of
 * {@link Shares}. A body that is left unread would cost a thread as well, since Tomcat reads it to its end before it
 * takes the next request; so this holds for every method and for paths that lead nowhere. Servlets of the application's own
 * read their bodies themselves, unless a replicated endpoint is addressed.
 *
 * <p>A request whose body was not there at once is dispatched again, and passes only the filters behind this one that take
 * asynchronous dispatches. So this stands behind the filters of the application that are to see a request.
 */
public final class BodyFilter implements Filter {
  private static final Logger LOG = LoggerFactory.getLogger(BodyFilter.class);
  /** The request attribute with the filter that has read the body. */
  private static final String OWNER = BodyFilter.class.getName();
  private static final int FIRST_BYTES = 16_384;

  private final int limit;
  private final Duration deadline;
  private final Shares held;
  private final Refusal refusal;
  private final Function<HttpServletRequest, String> owner;
  private final Predicate<HttpServletRequest> handled;

  /** Writes a fault. */
  @FunctionalInterface
  public interface Refusal {
    void send(HttpServletRequest request, HttpServletResponse response, SoapVersion version, Failure failure)
        throws IOException;
  }

  /**
   * @param limit the longest body, in bytes
   * @param deadline from a request's headers to the end of its body
   * @param owner whose share a request uses
   * @param handled whether the body of a request is read here
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
    // What another filter has read, that one passes on.
    boolean own = owner == this && ReceivedBody.of(request) != null;
    chain.doFilter(own ? new ReceivedRequest(request) : request, response);
  }

  private static boolean hasBody(HttpServletRequest request) {
    long announced = request.getContentLengthLong();
    return announced > 0
        || announced < 0 && (request.getHeader("Transfer-Encoding") != null || !request.getProtocol().startsWith("HTTP/1"));
  }

  /** The body, or null when it is still to come and the request has been put off. */
  private ReceivedBody read(HttpServletRequest request, HttpServletResponse response) throws IOException {
    long announced = request.getContentLengthLong();
    byte[] bytes = new byte[(int) Math.max(0, Math.min(announced, FIRST_BYTES))];
    int length = 0;
    if (announced > 0 && announced <= limit) {
      ServletInputStream in = request.getInputStream();
      // Reading so much as is available never waits.
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
    String payer = owner.apply(request);
    long reserved = Configuration.HELD_REQUEST_BYTES + (long) bytes.length;
    String full = held.reserve(payer, reserved);
    if (full == null) {
      new ArrivingBody(this, request, async, bytes, length, payer, reserved).begin();
    } else {
      // From now on Tomcat reads without waiting, also what it drops after the answer.
      request.getInputStream().setReadListener(IgnoredBody.LISTENER);
      refuse(request, async, FailureCode.Overloaded, full);
    }
    return null;
  }

  /** Answers before the body has been read. The connection cannot be used again. */
  void refuse(HttpServletRequest request, AsyncContext async, FailureCode code, String why) {
    HttpServletResponse response = (HttpServletResponse) async.getResponse();
    SoapVersion version = SoapVersion.ofContentType(request.getContentType());
    try {
      response.setHeader("Connection", "close");
      refusal.send(request, response, version, new Failure(code, why));
    } catch (IOException | IllegalStateException e) {
      LOG.debug("The client is gone before its answer.", e);
    }
    try {
      async.complete();
    } catch (IllegalStateException e) {
      LOG.debug("The client is gone.", e);
    }
  }
}
