package org.understudy.container.tomcat;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.security.Principal;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardPipeline;
import org.apache.catalina.realm.GenericPrincipal;
import org.apache.catalina.valves.ValveBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.caller.Caller;
import org.understudy.container.caller.CallerProof;
import org.understudy.container.forwarding.sealed.AuthenticatedUser;
import org.understudy.container.forwarding.sealed.ClientRequest;
import org.understudy.container.intake.ForwardedIntake;
import org.understudy.container.intake.RequestMemory;

/**
 * Turns a request that another replica forwards into that of its client, before Tomcat authenticates it. A client is authenticated once, by
 * the server that it has called: challenges of one server mean nothing to another one. The valve also lets a forwarding replica know whom
 * its own server has authenticated.
 */
public final class ForwardedRequestValve extends ValveBase {
  private static final Logger LOG = LoggerFactory.getLogger(ForwardedRequestValve.class);

  private final List<ForwardedIntake> intakes;

  private ForwardedRequestValve(List<ForwardedIntake> intakes) {
    super(true);
    this.intakes = intakes;
  }

  /** An installed valve. */
  @FunctionalInterface
  public interface Installed {
    /** Removes the valve from the web application, whose pipeline lives on when it is reloaded. */
    void close();
  }

  /**
   * Installs a valve in a starting web application, ahead of its authenticator.
   *
   * @param intakes one for each group
   */
  public static Installed install(TomcatApplication application, List<ForwardedIntake> intakes) {
    Pipeline pipeline = ((Context) application.context()).getPipeline();
    ForwardedRequestValve valve = new ForwardedRequestValve(intakes);
    pipeline.addValve(valve);
    moveToFront(pipeline, valve);
    return () -> pipeline.removeValve(valve);
  }

  /** A pipeline adds at its end only. The authenticator cannot be removed and added again: removal destroys it. */
  private static void moveToFront(Pipeline pipeline, Valve valve) {
    Valve first = pipeline.getFirst();
    if (first == valve) {
      return;
    }
    Valve before = first;
    while (before.getNext() != valve) {
      before = before.getNext();
    }
    try {
      var field = StandardPipeline.class.getDeclaredField("first");
      field.setAccessible(true);
      before.setNext(valve.getNext());
      valve.setNext(first);
      field.set(pipeline, valve);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("Understudy cannot put its valve ahead of Tomcat's authenticator in this version of Tomcat: requests that other replicas "
          + "forward to a protected path are rejected. Report the version.", e);
    }
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    HttpServletRequest own = request.getRequest();
    AuthenticatedUser.provide(own, () -> user(request));
    boolean proving = own.getHeader(CallerProof.HEADER) != null && !Caller.isForwarded(own);
    if (!proving) {
      getNext().invoke(request, response);
      return;
    }
    try {
      if (isTaken(request, own, response)) {
        getNext().invoke(request, response);
      }
    } finally {
      RequestMemory.leave(own);
    }
  }

  /** Returns false when the request is rejected, and the response written. A header that proves nothing is ignored. */
  private boolean isTaken(Request request, HttpServletRequest own, Response response) throws IOException {
    for (ForwardedIntake intake : intakes) {
      CallerProof.Proved proved = intake.verify(own);
      if (proved != null) {
        ClientRequest client = intake.receive(own, response.getResponse(), proved, new UnreadBody(request.getCoyoteRequest()));
        if (client != null) {
          RestoredRequest.restore(request, client);
        }
        return client != null;
      }
    }
    return true;
  }

  private static AuthenticatedUser user(Request request) {
    Principal principal = request.getPrincipal();
    if (principal == null) {
      return null;
    }
    List<String> roles = principal instanceof GenericPrincipal known ? List.of(known.getRoles()) : List.of();
    return new AuthenticatedUser(principal.getName(), request.getAuthType(), roles);
  }
}
