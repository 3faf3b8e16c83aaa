package org.understudy.boot;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.WebApplicationContext;
import org.understudy.container.deployment.Deployment;

/**
 * Closes the replica of an application that fails to start, for example without its database. Tomcat does not end a web application
 * that fails in an initializer, and its replica would stay half open.
 */
final class FailedApplicationListener implements ApplicationListener<ApplicationFailedEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(FailedApplicationListener.class);

  /** Called by Spring Boot, see {@code META-INF/spring.factories}. */
  FailedApplicationListener() {}

  @Override
  public void onApplicationEvent(ApplicationFailedEvent event) {
    ApplicationContext context = event.getApplicationContext();
    boolean web = ClassUtils.isPresent("jakarta.servlet.ServletContext", getClass().getClassLoader())
        && ClassUtils.isPresent("org.springframework.web.context.WebApplicationContext", getClass().getClassLoader());
    boolean closed = context != null && web && Web.close(context);
    if (closed || context != null && context.getEnvironment().containsProperty(UnderstudyAutoConfiguration.REPLICA)) {
      LOG.error("The application fails to start, so its replica is closed and does not take part in its group: {}. Start the "
          + "application again when the cause is removed.", cause(event.getException()));
    }
  }

  private static String cause(Throwable failure) {
    Throwable root = failure;
    for (int i = 0; i < 100 && root.getCause() != null; i++) {
      root = root.getCause();
    }
    String text = root.toString().lines().findFirst().orElse("");
    return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
  }

  /** Needs classes that an application without a web server does not have. */
  private static final class Web {
    static boolean close(ApplicationContext context) {
      Deployment deployment =
          context instanceof WebApplicationContext web && web.getServletContext() != null ? Deployment.of(web.getServletContext()) : null;
      if (deployment != null) {
        deployment.close();
      }
      return deployment != null;
    }
  }
}
