package org.understudy.boot;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.apache.cxf.Bus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.web.context.WebApplicationContext;
import org.understudy.container.configuration.ApplicationConfiguration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.deployment.Deployment;
import org.understudy.container.deployment.UnderstudyInitializer;

/**
 * Replicates the marked endpoints of an application of Spring Boot. Active when {@code understudy.replica} or {@code understudy.config}
 * is set. The keys of the configuration are properties of the application; with {@code understudy.config} they are read from a file,
 * which overrides the properties of the application.
 *
 * <p>In a web archive in a Tomcat that configures the plugin, that configuration is used, and the plugin's initializer and the starter
 * share the replica, in whichever order the server calls them.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@Conditional(WhereConfigured.class)
public class UnderstudyAutoConfiguration {
  static final String REPLICA = "understudy.replica";
  static final String FILE = "understudy.config";
  private static final Logger LOG = LoggerFactory.getLogger(UnderstudyAutoConfiguration.class);

  /** Called by Spring. */
  public UnderstudyAutoConfiguration() {}

  /**
   * Opens the replicas, one for each group. They join when the application's endpoints are published.
   *
   * @throws ConfigurationException when a property is missing or invalid
   * @throws IOException when an address or a directory cannot be used
   */
  @Bean(destroyMethod = "close")
  @Conditional(WhereConfigured.ByTheApplication.class)
  Deployment understudyDeployment(Environment environment)
      throws ConfigurationException, IOException, ReflectiveOperationException {
    String file = environment.getProperty(FILE);
    ApplicationConfiguration configuration =
        ApplicationConfiguration.load(
            file == null ? null : Path.of(file), ApplicationConfiguration.properties(environment::getProperty));
    warnOfAddress(configuration, environment);
    return Deployment.open(configuration);
  }

  /**
   * Returns the replicas that the server has opened, or opens them with the server's configuration.
   *
   * @throws ServletException when they cannot be opened; the reason has been logged
   */
  @Bean(destroyMethod = "close")
  @Conditional(WhereConfigured.ByTheServer.class)
  Deployment understudyDeploymentOfServer(WebApplicationContext application) throws ServletException {
    ServletContext context = application.getServletContext();
    // The server calls the initializers of jars in any order.
    UnderstudyInitializer.start(context);
    if (application.getEnvironment().containsProperty(REPLICA)) {
      LOG.info("The server configures the replica of the web application {}. The application's own understudy.* properties are not used.",
          context.getContextPath());
    }
    return Deployment.of(context);
  }

  @Bean
  ServletContextInitializer understudyServletContextInitializer(Deployment deployment) {
    return context -> {
      if (Deployment.of(context) != deployment) {
        try {
          deployment.register(context);
        } catch (ConfigurationException e) {
          throw new ServletException("Understudy does not start: " + e.getMessage(), e);
        }
      }
    };
  }

  /** Ends waiting requests before Boot waits for those that run. */
  @Bean
  EndOfPolls understudyEndOfPolls(Deployment deployment) {
    return new EndOfPolls(deployment);
  }

  /** Attaches the plugin to every bus, independent of the thread and the class loader that publish an endpoint. */
  @Bean
  static BeanPostProcessor understudyBusPostProcessor(ObjectProvider<Deployment> deployment) {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof Bus bus) {
          deployment.getObject().attachTo(bus);
        }
        return bean;
      }
    };
  }

  /** Other replicas send requests to the configured address, which the application does not choose. */
  private static void warnOfAddress(ApplicationConfiguration configuration, Environment environment) {
    URI address = configuration.common().url(configuration.common().self());
    if ("0".equals(environment.getProperty("server.port"))) {
      LOG.warn("server.port is 0, so the port of this replica differs at each start, and understudy.replicas names {}. Other replicas "
          + "do not reach it there, unless a proxy passes requests on. Set server.port to the port of that address.", address);
    }
    String path = environment.getProperty("server.servlet.context-path", "");
    String configured = address.getPath() == null ? "" : address.getPath();
    if (!withoutSlash(path).equals(withoutSlash(configured))) {
      LOG.warn("The context path of this application is '{}', and understudy.replicas names {}. Other replicas do not reach it there, "
          + "unless a proxy passes requests on. Set server.servlet.context-path to the path of that address.", path, address);
    }
  }

  private static String withoutSlash(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
