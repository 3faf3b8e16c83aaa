package org.understudy.container.tomcat;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Activates the request scope of Weld, OpenWebBeans and Spring for each part of an asynchronous request, and ends it after the part. The
 * containers bind the scope to the thread when their listener is called. Tomcat calls it at the beginning of a request and at the end,
 * maybe on another thread, and not for the parts between. Without this filter a service would be executed without a request scope, or with
 * that of another client's request. Put it before all other filters.
 */
public final class RequestScopeFilter implements Filter {
  /** How the names of their listeners begin. */
  private static final Set<String> CONTAINERS =
      Set.of("org.jboss.weld.", "org.apache.webbeans.", "org.springframework.web.context.request.RequestContextListener");

  private volatile List<ServletRequestListener> listeners = List.of();

  /** Starts to call the listeners of containers among the listeners of an application. */
  public void begin(TomcatApplication application) {
    listeners =
        application.requestListeners().stream()
            .filter(listener -> isOfContainer(listener.getClass()))
            .toList();
  }

  private static boolean isOfContainer(Class<?> type) {
    return type != null && (CONTAINERS.stream().anyMatch(type.getName()::startsWith) || isOfContainer(type.getSuperclass()));
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
    List<ServletRequestListener> called = listeners;
    if (called.isEmpty()) {
      chain.doFilter(request, response);
      return;
    }
    RequestScope scope = RequestScope.of(request, called);
    scope.resume();
    try {
      chain.doFilter(request, response);
    } finally {
      if (request.isAsyncStarted()) {
        request.getAsyncContext().addListener(scope);
        scope.suspend();
      }
    }
  }
}
