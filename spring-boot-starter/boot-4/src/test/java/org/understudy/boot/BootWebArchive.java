package org.understudy.boot;

import jakarta.servlet.ServletContainerInitializer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;
import org.springframework.web.SpringServletContainerInitializer;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.test.cluster.WebApplication;

/**
 * An application of Spring Boot in a web archive. A server calls the initializers of Spring and of the plugin in any order: every second
 * replica has the other one.
 */
final class BootWebArchive implements WebApplication {
  private final Class<? extends SpringBootServletInitializer> application;
  private boolean springFirst;

  BootWebArchive(Class<? extends SpringBootServletInitializer> application, boolean springFirst) {
    this.application = application;
    this.springFirst = springFirst;
  }

  @Override
  public String path() {
    return "/app";
  }

  @Override
  public Context addTo(Tomcat tomcat, Path base) {
    Context context = tomcat.addContext(path(), base.toString());
    ServletContainerInitializer plugin = new UnderstudyInitializer();
    if (!springFirst) {
      context.addServletContainerInitializer(plugin, null);
    }
    context.addServletContainerInitializer(new SpringServletContainerInitializer(), Set.of(application));
    if (springFirst) {
      context.addServletContainerInitializer(plugin, null);
    }
    springFirst = !springFirst;
    return context;
  }

  /** Publishes an endpoint. */
  public static final class Counting extends SpringBootServletInitializer {
    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder builder) {
      return builder.sources(CountingApplication.class).properties(Map.of("management.endpoint.health.show-details", "always"));
    }
  }

  /** Does so, and has the configuration of the replica. */
  public static final class Configured extends SpringBootServletInitializer {
    /** The properties of the application. */
    static volatile Map<String, Object> properties = Map.of();

    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder builder) {
      return builder.sources(CountingApplication.class).properties(properties);
    }
  }

  /** Fails to start. */
  public static final class Failing extends SpringBootServletInitializer {
    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder builder) {
      return builder.sources(CountingApplication.class, Cause.class);
    }
  }

  /** A bean that cannot be made. */
  public static final class Cause {
    /** Called by Spring. */
    public Cause() {
      throw new IllegalStateException("There is no database.");
    }
  }
}
