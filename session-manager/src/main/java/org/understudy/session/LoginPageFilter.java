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
 * Holds back the page of a login form until the session is stable. Tomcat's authenticator forwards to the page with its own response
 * instead of that of the request, and would send it at once. Then a login could reach a replica that does not know the session yet.
 */
final class LoginPageFilter implements Filter {
  private static final String NAME = LoginPageFilter.class.getName();

  private final ReplicatedSessionManager manager;

  private LoginPageFilter(ReplicatedSessionManager manager) {
    this.manager = manager;
  }

  /** Adds the filter to a web application that is starting, before its own filters. Tomcat removes it with them when it stops. */
  static void add(ReplicatedSessionManager manager, Context context) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(NAME);
    definition.setFilter(new LoginPageFilter(manager));
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
    BufferedResponse answer = response instanceof Response ? manager.heldAnswer() : null;
    if (answer == null) {
      chain.doFilter(request, response);
      return;
    }
    chain.doFilter(request, answer);
    if (!answer.isUnprotected()) {
      // The dispatcher closes the writer, or the stream if that is in use, as it is when the answer is sent. A suspended response
      // ignores both until then.
      response.getOutputStream();
      ((Response) response).setSuspended(true);
    }
  }
}
