package org.understudy.boot;

import jakarta.servlet.ServletContext;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.web.context.WebApplicationContext;
import org.understudy.container.deployment.Deployment;
import org.understudy.container.deployment.UnderstudyInitializer;

/** Matches where the application or the server that it is deployed in configures a replica. */
class WhereConfigured implements Condition {
  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    return isByTheServer(context) || isByTheApplication(context);
  }

  static boolean isByTheServer(ConditionContext context) {
    // With an embedded server there is no servlet context yet.
    ServletContext server = context.getResourceLoader() instanceof WebApplicationContext web ? web.getServletContext() : null;
    return server != null && (Deployment.of(server) != null || UnderstudyInitializer.isConfigured(server));
  }

  private static boolean isByTheApplication(ConditionContext context) {
    return context.getEnvironment().containsProperty(UnderstudyAutoConfiguration.REPLICA)
        || context.getEnvironment().containsProperty(UnderstudyAutoConfiguration.FILE);
  }

  /** Matches where the server does. */
  static final class ByTheServer implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return isByTheServer(context);
    }
  }

  /** Matches where the server does not. */
  static final class ByTheApplication implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return !isByTheServer(context);
    }
  }
}
