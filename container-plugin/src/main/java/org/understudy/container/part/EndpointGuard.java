package org.understudy.container.part;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.understudy.container.caller.ConcurrencyLimiter;
import org.understudy.container.caller.RequestTarget;
import org.understudy.container.intake.ReceivedBody;
import org.understudy.container.intake.RequestMemory;
import org.understudy.container.response.Answers;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.share.Reservation;

/** Accepts or refuses a request to an endpoint of another module, after its body has been read. */
final class EndpointGuard implements Filter {
  /** The request attribute that marks a request as accepted, for its later dispatches. */
  private static final String ACCEPTED = EndpointGuard.class.getName();

  private final ConcurrencyLimiter limiter;
  private final int limit;
  private final MessageCheck check;

  /** @param limit the longest body, in bytes */
  EndpointGuard(ConcurrencyLimiter limiter, int limit, MessageCheck check) {
    this.limiter = limiter;
    this.limit = limit;
    this.check = check;
  }

  @Override
  public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest request = (HttpServletRequest) servletRequest;
    HttpServletResponse response = (HttpServletResponse) servletResponse;
    if (request.getAttribute(ACCEPTED) != null) {
      chain.doFilter(request, response);
      return;
    }
    if (!request.getMethod().equals("POST")) {
      response.setHeader("Allow", "POST");
      Answers.refuse(response, 405, "This endpoint accepts POST only.");
      return;
    }
    ReceivedBody body = ReceivedBody.of(request);
    if (body == null) {
      Answers.refuse(response, 500, "A filter of the web application does not support asynchronous requests. Set async-supported to true.");
      return;
    }
    if (body.bytes() == null) {
      Answers.refuse(response, 413, "The request is larger than " + limit + " bytes, the limit of this server.");
      return;
    }
    Reservation reservation = RequestMemory.of(request);
    Failure overload = limiter.accept(reservation);
    if (overload != null) {
      response.setHeader("Retry-After", "1");
      Answers.refuse(response, 503, overload.sentence());
      return;
    }
    boolean parked = false;
    try {
      String problem = check.problem(RequestTarget.path(request), request.getContentType(), body.bytes());
      if (problem != null) {
        Answers.refuse(response, 400, problem);
        return;
      }
      request.setAttribute(ACCEPTED, this);
      chain.doFilter(request, response);
      if (request.isAsyncStarted()) {
        request.getAsyncContext().addListener(new End(() -> limiter.done(reservation)));
        parked = true;
      }
    } finally {
      if (!parked) {
        limiter.done(reservation);
      }
    }
  }

  /** Counts a request out when its asynchronous part ends. The container calls {@code onComplete} once, also after an error or timeout. */
  private record End(Runnable done) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      done.run();
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
}
