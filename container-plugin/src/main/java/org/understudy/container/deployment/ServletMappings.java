package org.understudy.container.deployment;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cxf.transport.servlet.AbstractHTTPServlet;

/** Finds the servlets of CXF in the web application. */
final class ServletMappings {
  private ServletMappings() {}

  /** Returns the paths below which a servlet of CXF serves endpoints; the empty path stands for the whole application. */
  static Set<String> of(ServletContext context) {
    Set<String> prefixes = new TreeSet<>();
    for (ServletRegistration servlet : context.getServletRegistrations().values()) {
      if (isOfCxf(servlet.getClassName(), context.getClassLoader())) {
        for (String mapping : servlet.getMappings()) {
          if (mapping.endsWith("/*")) {
            prefixes.add(mapping.substring(0, mapping.length() - 2));
          }
        }
      }
    }
    return prefixes;
  }

  private static boolean isOfCxf(String className, ClassLoader application) {
    try {
      return className != null && AbstractHTTPServlet.class.isAssignableFrom(Class.forName(className, false, application));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
