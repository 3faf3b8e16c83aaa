package org.understudy.session;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Response;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.understudy.session.http.BufferedResponse;

/**
 * Ends the answer that a run holds back when a servlet has forwarded the request, as Tomcat does with its own: it does not know the held
 * one. Holds back the page of a login form until the session is stable: Tomcat's authenticator forwards to the page with its own response
 * instead of that of the request, and would send it at once. Then a login could reach a replica that does not know the session yet.
 */
final class ForwardFilter implements Filter {
  private static final String NAME = ForwardFilter.class.getName();

  private final ReplicatedSessionManager manager;

  private ForwardFilter(ReplicatedSessionManager manager) {
    this.manager = manager;
  }

  /** Adds the filter to a web application that is starting, before its own filters. Tomcat removes it with them when it stops. */
  static void add(ReplicatedSessionManager manager, Context context) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(NAME);
    definition.setFilter(new ForwardFilter(manager));
    definition.setAsyncSupported("true");
    FilterMap map = new FilterMap();
    map.setFilterName(NAME);
    map.addURLPattern("/*");
    map.setDispatcher(DispatcherType.FORWARD.name());
    context.addFilterDef(definition);
    context.addFilterMapBefore(map);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
    BufferedResponse answer = manager.runs().heldAnswer();
    if (answer == null || response != answer && !(response instanceof Response)) {
      chain.doFilter(request, response);
      return;
    }
    chain.doFilter(request, answer);
    if (response == answer) {
      if (!request.isAsyncStarted()) {
        answer.end();
      }
    } else if (!answer.isUnprotected()) {
      // The dispatcher closes the writer, or the stream if that is in use, as it is when the answer is sent. A suspended response
      // ignores both until then.
      response.getOutputStream();
      ((Response) response).setSuspended(true);
    }
  }
}
