package org.understudy.container.tomcat;

import java.util.List;

/**
 * A mapping of a filter, in the order in which Tomcat calls filters that are mapped to URL patterns.
 *
 * @param name the name of the filter
 * @param asynchronous whether the filter supports asynchronous requests
 * @param patterns the URL patterns for the dispatcher type REQUEST
 * @param servlets the names of servlets for the dispatcher type REQUEST; such filters are called after all with a matching pattern
 */
public record MappedFilter(String name, boolean asynchronous, List<String> patterns, List<String> servlets) {
  private static final String ANY = "*";

  public MappedFilter {
    patterns = List.copyOf(patterns);
    servlets = List.copyOf(servlets);
  }

  /** Whether requests for a path within the web application pass this filter because of a URL pattern. */
  public boolean isMappedTo(String path) {
    return patterns.stream().anyMatch(pattern -> matches(pattern, path));
  }

  /** Whether requests to a servlet pass this filter because of the servlet's name. */
  public boolean isMappedToServlet(String servlet) {
    return servlets.contains(ANY) || servlets.contains(servlet);
  }

  private static boolean matches(String pattern, String path) {
    if (pattern.equals(ANY) || pattern.equals(path) || pattern.equals("/*")) {
      return true;
    }
    if (pattern.endsWith("/*")) {
      String prefix = pattern.substring(0, pattern.length() - 1);
      return (path + "/").startsWith(prefix);
    }
    return pattern.startsWith("*.") && path.substring(path.lastIndexOf('/') + 1).endsWith(pattern.substring(1));
  }
}
