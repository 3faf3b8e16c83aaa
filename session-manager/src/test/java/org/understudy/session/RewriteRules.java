package org.understudy.session;

import org.apache.catalina.Context;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.valves.rewrite.RewriteValve;

/** A RewriteValve of a web application. */
final class RewriteRules {
  private RewriteRules() {}

  /** Adds a valve with this configuration to a web application that is not started yet. */
  static void add(Context context, String configuration) {
    RewriteValve valve = new RewriteValve();
    context.getPipeline().addValve(valve);
    context.addLifecycleListener(event -> {
      if (event.getType().equals(Lifecycle.AFTER_START_EVENT)) {
        configure(valve, configuration);
      }
    });
  }

  private static void configure(RewriteValve valve, String configuration) {
    try {
      valve.setConfiguration(configuration);
    } catch (Exception e) { // As Tomcat declares it.
      throw new IllegalStateException(e);
    }
  }
}
