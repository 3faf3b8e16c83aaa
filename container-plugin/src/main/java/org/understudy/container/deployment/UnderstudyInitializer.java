package org.understudy.container.deployment;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.ApplicationConfiguration;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.service.ReplicableService;

/**
 * Starts the plugin in every web application that contains it and has a configuration. Replicates the marked endpoints that the
 * application publishes itself. If the context parameter {@code understudy.service} names a service class, publishes it at
 * {@code /services/<simple name of the class>}. If {@code understudy.broker} is true instead, publishes a notification broker at
 * {@code /services/NotificationBroker}. Does nothing where replicas are registered already, by the starter for Spring Boot.
 */
public final class UnderstudyInitializer implements ServletContainerInitializer {
  private static final Logger LOG = LoggerFactory.getLogger(UnderstudyInitializer.class);
  static final String SERVICE = "understudy.service";
  static final String BROKER = "understudy.broker";
  private static final String CLASSES = "/WEB-INF/classes/";
  /** A class of the starter for Spring Boot, which finds its own configuration. */
  private static final String STARTER = "org/understudy/boot/UnderstudyAutoConfiguration.class";

  /** Whether the server configures the plugin for a web application, or the descriptor of the web application does. */
  public static boolean isConfigured(ServletContext context) {
    return context.getInitParameter(SERVICE) != null || isBroker(context) || ConfigurationFile.find(context) != null
        || !ConfigurationFile.parameters(context).isEmpty();
  }

  private static boolean isBroker(ServletContext context) {
    return Boolean.parseBoolean(context.getInitParameter(BROKER));
  }

  /** Where the replica cannot be opened, the application starts, and answers its requests with 503. */
  @Override
  public void onStartup(Set<Class<?>> ignored, ServletContext context) throws ServletException {
    try {
      start(context);
    } catch (UnopenedException e) {
      FailedStart.register(context, e.getMessage());
    }
  }

  /**
   * Opens the replicas of a web application and registers them, unless that has been done.
   *
   * @throws ServletException when they cannot be opened; the reason has been logged
   */
  public static void start(ServletContext context) throws ServletException {
    if (Deployment.of(context) != null) {
      return;
    }
    if (FailedStart.reason(context) != null) {
      throw new UnopenedException(FailedStart.reason(context));
    }
    if (!isConfigured(context)) {
      if (context.getClassLoader().getResource(STARTER) == null) {
        LOG.warn(
            "Nothing is replicated in the web application {}: it holds Understudy's plugin, but there is no configuration. {}",
            context.getContextPath(), ConfigurationFile.missing());
      }
      return;
    }
    String service = context.getInitParameter(SERVICE);
    boolean broker = isBroker(context);
    Path file = ConfigurationFile.find(context);
    Deployment deployment;
    try {
      deployment = open(service, broker, file, context);
    } catch (ConfigurationException | IOException e) {
      LOG.error("Understudy does not start: {}", e.getMessage());
      throw new UnopenedException("Understudy does not start: " + e.getMessage());
    } catch (ReflectiveOperationException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      LOG.error("Understudy does not start: The service {} cannot be created: {}.", service, cause.toString(), cause);
      throw new UnopenedException("Understudy does not start: The service " + service + " cannot be created: " + cause + ".");
    }
    try {
      deployment.register(context);
    } catch (RuntimeException | ConfigurationException e) {
      deployment.close();
      LOG.error("Understudy does not start: {}", e.getMessage());
      throw new ServletException("Understudy does not start: " + e.getMessage(), e);
    }
    context.addListener(
        new ServletContextListener() {
          @Override
          public void contextDestroyed(ServletContextEvent event) {
            deployment.close();
          }
        });
  }

  /** The replicas could not be opened, and the web application has no part of them. */
  private static final class UnopenedException extends ServletException {
    private static final long serialVersionUID = 1L;

    UnopenedException(String why) {
      super(why);
    }
  }

  private static Deployment open(String service, boolean broker, Path file, ServletContext context)
      throws ConfigurationException, IOException, ReflectiveOperationException {
    if (service != null && broker) {
      throw new ConfigurationException(
          "The web application sets " + SERVICE + " to " + service + " and " + BROKER + " to true. Set only one.");
    }
    if (broker) {
      PublicationFactory factory =
          PublicationFactory.named("broker")
              .orElseThrow(
                  () -> new ConfigurationException(
                      "The web application sets " + BROKER + " but does not contain a broker. Add the module "
                          + "understudy-broker and its dependencies to WEB-INF/lib."));
      return Deployment.open(configuration(file, context), factory);
    }
    if (service == null) {
      return Deployment.open(configuration(file, context));
    }
    Class<?> type = ReplicableService.named(service, context.getClassLoader(), missing -> siblings(missing, context));
    return Deployment.open(configuration(file, context), type);
  }

  private static ApplicationConfiguration configuration(Path file, ServletContext context) throws ConfigurationException {
    ApplicationConfiguration configuration = ConfigurationFile.load(file, context);
    warnOfPath(configuration.common(), context.getContextPath());
    return configuration;
  }

  /** Other replicas forward requests to the configured address. At another path than the application's they get 404. */
  static void warnOfPath(Configuration configuration, String path) {
    URI address = configuration.url(configuration.self());
    if (!path.equals(address.getPath())) {
      LOG.warn("The context path of this web application is '{}', and understudy.replicas names {} for this replica. Other replicas and "
          + "clients do not reach it there, unless a proxy passes requests on. Deploy the application at the path of that address, "
          + "or correct understudy.replicas.", path, address);
    }
  }

  /** The classes with this simple name in packages beside that of a missing class, for example those that a compiler generates. */
  static List<String> siblings(String missing, ServletContext context) {
    String[] names = missing.split("\\.");
    if (names.length < 3) {
      return List.of();
    }
    String folder = CLASSES + String.join("/", Arrays.copyOf(names, names.length - 2)) + "/";
    List<String> found = new ArrayList<>();
    for (String one : new TreeSet<>(paths(context, folder))) {
      String file = one + names[names.length - 1] + ".class";
      if (one.endsWith("/") && paths(context, one).contains(file)) {
        found.add(file.substring(CLASSES.length(), file.length() - ".class".length()).replace('/', '.'));
      }
    }
    return found;
  }

  private static Set<String> paths(ServletContext context, String folder) {
    Set<String> paths = context.getResourcePaths(folder);
    return paths == null ? Set.of() : paths;
  }
}
