package org.understudy.container.deployment;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;

/**
 * Begins with every web application that holds this plugin; does its work where the context parameter
 * {@code understudy.service} names the service class. The service is then published at
 * {@code /services/<simple name of the class>}, behind the replication filter. Where {@code understudy.broker} is true
 * instead, the web application is a notification broker at {@code /services/NotificationBroker}.
 */
public final class UnderstudyInitializer implements ServletContainerInitializer {
  private static final Logger LOG = LoggerFactory.getLogger(UnderstudyInitializer.class);
  private static final String SERVICE = "understudy.service";
  private static final String BROKER = "understudy.broker";

  @Override
  public void onStartup(Set<Class<?>> ignored, ServletContext context) throws ServletException {
    String service = context.getInitParameter(SERVICE);
    boolean broker = Boolean.parseBoolean(context.getInitParameter(BROKER));
    ClassLoader application = context.getClassLoader();
    if (service == null && !broker) {
      UnreplicatedEndpoints.started(application, null);
      LOG.warn(
          "Nothing is replicated in the web application {}: it holds Understudy's plugin and sets neither {} nor {} in its "
              + "web.xml.", context.getContextPath(), SERVICE, BROKER);
      return;
    }
    UnreplicatedEndpoints.started(application, service == null ? "the broker" : service.strip());
    try {
      if (service != null && broker) {
        throw new ConfigurationException(
            "The web application sets " + SERVICE + " to " + service + " and " + BROKER + " to true. Set only one.");
      }
      Deployment deployment;
      if (broker) {
        PublicationFactory factory =
            PublicationFactory.named("broker")
                .orElseThrow(
                    () -> new ConfigurationException(
                        "The web application sets " + BROKER + " but does not contain a broker. Add the module "
                            + "understudy-broker and its dependencies to WEB-INF/lib."));
        deployment = Deployment.open(Configuration.load(ConfigurationFile.find(context)), factory);
      } else {
        Class<?> type = ReplicableService.named(service, application);
        deployment = Deployment.open(Configuration.load(ConfigurationFile.find(context)), type);
      }
      try {
        deployment.register(context);
      } catch (RuntimeException e) {
        deployment.close();
        throw e;
      }
      context.addListener(
          new ServletContextListener() {
            @Override
            public void contextDestroyed(ServletContextEvent event) {
              deployment.close();
              UnreplicatedEndpoints.ended(application);
            }
          });
    } catch (ConfigurationException | IOException e) {
      LOG.error("Understudy does not start: {}", e.getMessage());
      throw new ServletException("Understudy does not start: " + e.getMessage());
    } catch (ReflectiveOperationException e) {
      throw new ServletException("The service " + service + " cannot be created: " + e + ".", e);
    }
  }
}
