package org.understudy.container.deployment;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.Map;

/** A SOAP stack other than CXF that serves a web application: nothing that it publishes can be replicated. */
final class OtherStack {
  /** The beginnings of the names of servlets' classes. */
  private static final Map<String, String> NAMES =
      Map.of("com.sun.xml.ws.", "Metro", "org.apache.axis2.", "Axis2", "org.apache.axis.", "Axis", "org.springframework.ws.", "Spring-WS");

  private OtherStack() {}

  /** Returns which servlet is of another stack, and what to do: a sentence. Null when none is. */
  static String advice(ServletContext context) {
    for (ServletRegistration servlet : context.getServletRegistrations().values()) {
      for (Map.Entry<String, String> stack : NAMES.entrySet()) {
        if (servlet.getClassName() != null && servlet.getClassName().startsWith(stack.getKey())) {
          return "Its servlet " + servlet.getName() + " is of " + stack.getValue() + ", and only endpoints of Apache CXF are replicated. "
              + "Publish the service by a servlet of CXF, or name its class in the context parameter understudy.service, and remove "
              + "the servlet " + servlet.getName() + ".";
        }
      }
    }
    return null;
  }
}
