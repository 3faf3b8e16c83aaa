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
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.replication.runtime.share.ReservedBytes;
import org.understudy.soap.envelope.SoapVersion;

/**
 * Reads the body of a request before it passes the request on. A body that has already arrived, as is usual for small
 * requests, is read at once. Another one is read without blocking a thread, and has a deadline. What a request takes in memory
 * ({@link BodyCost}) counts against its client's share from its first byte to its answer: {@link RequestMemory}. An unread
 * body would also block a thread, because Tomcat reads it to its end before the next request. A body that a filter of the application
 * passes on in a stream of its own is read as that filter reads it, and blocks as it does: {@link ReplayedBody}.
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

  private final ToIntFunction<HttpServletRequest> limit;
  private final Duration deadline;
  private final LocalShares held;
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
   * @param limit the longest body of a request, in bytes; asked before the body is read
   * @param deadline from a request's headers to the end of its body
   * @param owner returns the client against whose share a request counts
   * @param handled whether this filter reads the body of a request
   */
  public BodyFilter(
      ToIntFunction<HttpServletRequest> limit,
      Duration deadline,
      LocalShares held,
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

  int limit(HttpServletRequest request) {
    return limit.applyAsInt(request);
  }

  Duration deadline() {
    return deadline;
  }

  static String tooLong(int limit) {
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
    }
    // A body that another instance of this filter has read is passed on by that instance.
    if (owner != this) {
      chain.doFilter(request, response);
      return;
    }
    try {
      if (ReceivedBody.of(request) == null && !isReceived(request, (HttpServletResponse) response)) {
        return;
      }
      chain.doFilter(new ReceivedRequest(request), response);
    } finally {
      RequestMemory.leave(request);
    }
  }

  /** Returns false when the body is rejected, or has not arrived yet and the request has become asynchronous. */
  private boolean isReceived(HttpServletRequest request, HttpServletResponse response) throws IOException {
    boolean read = hasBody(request) || request.getMethod().equals("POST");
    ReceivedBody received = read ? read(request, response) : ReceivedBody.NONE;
    if (received != null) {
      received.keepIn(request);
    }
    return received != null;
  }

  private static boolean hasBody(HttpServletRequest request) {
    long announced = request.getContentLengthLong();
    return announced > 0
        || announced < 0 && (request.getHeader("Transfer-Encoding") != null || !request.getProtocol().startsWith("HTTP/1"));
  }

  /** Returns the body; null when it is rejected, or has not arrived yet and the request has become asynchronous. */
  private ReceivedBody read(HttpServletRequest request, HttpServletResponse response) throws IOException {
    long announced = hasBody(request) ? request.getContentLengthLong() : 0;
    Reservation reservation = new Reservation(held, owner.apply(request));
    RequestMemory.begin(request, reservation);
    String full = reservation.grow(Configuration.HELD_REQUEST_BYTES);
    int allowed = limit(request);
    InputStream replayed = ReplayedBody.of(request);
    if (replayed != null) {
      return replayed(request, response, replayed, new ReservedBytes(reservation, BodyCost.of(request.getContentType()), allowed), full);
    }
    int most = announced < 0 || announced > allowed ? allowed : (int) announced;
    ReservedBytes body = new ReservedBytes(reservation, BodyCost.of(request.getContentType()), most);
    if (announced >= 0 && announced <= allowed) {
      ServletInputStream in = request.getInputStream();
      // Reading no more than is available never blocks.
      while (full == null && body.length() < announced && in.available() > 0) {
        full = body.room();
        if (full == null && body.read(in) < 0) {
          break;
        }
      }
      if (full == null && body.length() == announced) {
        return new ReceivedBody(body.whole(), announced);
      }
    }
    AsyncContext async = request.startAsync(request, response);
    if (full == null) {
      new ArrivingBody(this, request, async, body).begin();
    } else {
      // With a listener Tomcat reads without blocking, also the rest that it drops after the response.
      request.getInputStream().setReadListener(IgnoredBody.LISTENER);
      refuse(request, async, FailureCode.Overloaded, full);
    }
    return null;
  }

  /**
   * Reads a stream of the application to its end, whatever length the client has announced. Returns null when the request is rejected.
   *
   * @param full why no request is accepted; or null
   */
  private ReceivedBody replayed(
      HttpServletRequest request, HttpServletResponse response, InputStream in, ReservedBytes body, String full) throws IOException {
    int allowed = limit(request);
    long begun = System.nanoTime();
    long dropped = 0;
    String overloaded = full;
    try {
      while (overloaded == null) {
        if (System.nanoTime() - begun > deadline.toNanos()) {
          refuse(request, response, FailureCode.BadRequest, late());
          return null;
        }
        if (body.length() < allowed) {
          overloaded = body.room();
          if (overloaded == null && body.read(in) < 0) {
            return new ReceivedBody(body.whole(), body.length());
          }
        } else if (in.read() < 0 || ++dropped > ArrivingBody.MAX_DRAINED_BYTES) {
          return dropped == 0 ? new ReceivedBody(body.whole(), allowed) : new ReceivedBody(null, allowed + dropped);
        }
      }
      refuse(request, response, FailureCode.Overloaded, overloaded);
    } catch (SocketTimeoutException e) {
      LOG.debug("The body of a request did not arrive.", e);
      refuse(request, response, FailureCode.BadRequest, late());
    } catch (IOException e) {
      LOG.debug("The body of a request cannot be read.", e);
      refuse(
          request, response, FailureCode.BadRequest,
          "The body of the request cannot be read from the stream that a filter of the web application passes on: " + e.getClass().getName()
              + ". Nothing was executed.");
    }
    return null;
  }

  String late() {
    return "The body of the request did not arrive within " + deadline.toMillis() + " ms, the limit of this server.";
  }

  /** Sends a fault before the body has been read. The connection cannot be reused. */
  void refuse(HttpServletRequest request, AsyncContext async, FailureCode code, String why) {
    refuse(request, (HttpServletResponse) async.getResponse(), code, why);
    try {
      async.complete();
    } catch (IllegalStateException e) {
      LOG.debug("The client has closed its connection.", e);
    }
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response, FailureCode code, String why) {
    SoapVersion version = SoapVersion.ofContentType(request.getContentType());
    try {
      response.setHeader("Connection", "close");
      refusal.send(request, response, version, new Failure(code, why));
    } catch (IOException | IllegalStateException e) {
      LOG.debug("The client closed its connection before the response was sent.", e);
    }
  }
}
