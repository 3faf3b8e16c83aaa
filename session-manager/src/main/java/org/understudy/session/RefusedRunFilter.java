package org.understudy.session;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a run of the web application that was refused a session, for example because a backup creates none. The exception that the web
 * application gets has no other use: the run's failure is the answer to the request. Tomcat would log it as an error of a servlet, with a
 * stack trace for each visitor.
 */
final class RefusedRunFilter implements Filter {
  private static final Logger LOG = LoggerFactory.getLogger(RefusedRunFilter.class);
  private static final String NAME = RefusedRunFilter.class.getName();
  private static final int MAX_CAUSES = 20;

  private final ReplicatedSessionManager manager;

  private RefusedRunFilter(ReplicatedSessionManager manager) {
    this.manager = manager;
  }

  /** Adds the filter to a web application that is starting, before its own filters. Tomcat removes it with them when it stops. */
  static void add(ReplicatedSessionManager manager, Context context) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(NAME);
    definition.setFilter(new RefusedRunFilter(manager));
    definition.setAsyncSupported("true");
    FilterMap map = new FilterMap();
    map.setFilterName(NAME);
    map.addURLPattern("/*");
    context.addFilterDef(definition);
    context.addFilterMapBefore(map);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
    try {
      chain.doFilter(request, response);
    } catch (RuntimeException | IOException | ServletException e) {
      Run run = manager.runs().current();
      if (run == null || !run.isRefused() || request.isAsyncStarted() || !tellsRefusal(e)) {
        throw e;
      }
      LOG.debug("The web application has got no session.", e);
    }
  }

  /** Frameworks wrap the exception into theirs. */
  private static boolean tellsRefusal(Throwable thrown) {
    Throwable one = thrown;
    for (int i = 0; i < MAX_CAUSES && one != null; i++) {
      if (one instanceof UnavailableSessionException) {
        return true;
      }
      one = one.getCause();
    }
    return false;
  }
}
