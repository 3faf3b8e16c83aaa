package org.understudy.container.tomcat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.ConfigurationException;

/**
 * Examines the filters of an application before and behind the plugin's. Those before it see each request, repeated ones too, and must
 * support asynchronous requests. Those behind it see only requests that are executed.
 */
public final class FilterOrder {
  private static final Logger LOG = LoggerFactory.getLogger(FilterOrder.class);
  private static final String OWN = "understudy";

  private FilterOrder() {}

  /**
   * Logs a warning for each filter behind the plugin's.
   *
   * @param filters all filters of the application
   * @param last the name of the first of the plugin's filters that are behind those of the application
   * @param paths the paths of the replicated endpoints that the application publishes
   * @param servlets the names of the servlets that serve them
   * @throws ConfigurationException when a filter before the plugin's does not support asynchronous requests
   */
  public static void check(List<MappedFilter> filters, String last, Set<String> paths, Set<String> servlets)
      throws ConfigurationException {
    Set<String> before = new TreeSet<>();
    Set<String> behind = new TreeSet<>();
    boolean reached = false;
    for (MappedFilter filter : filters) {
      reached = reached || filter.name().equals(last);
      if (filter.name().startsWith(OWN)) {
        continue;
      }
      String path = paths.stream().filter(filter::isMappedTo).findFirst().orElse(null);
      if (path != null && !reached) {
        before.add(filter.name());
        if (!filter.asynchronous()) {
          throw new ConfigurationException(
              "The filter " + filter.name() + " of the web application does not support asynchronous requests, so the replicated endpoint "
                  + "at " + path + " could not answer behind it. Set async-supported to true for the filter.");
        }
      } else if (path != null || servlets.stream().anyMatch(filter::isMappedToServlet)) {
        behind.add(filter.name());
      }
    }
    behind.removeAll(before);
    for (String name : behind) {
      LOG.warn("The filter {} of the web application is behind Understudy's, because it is mapped to a servlet or after others: a repeated "
          + "request gets its stored answer without passing it. If it authenticates or authorises, map it to a URL pattern in web.xml.",
          name);
    }
  }
}
