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
 * {@code /services/<simple name of the class>}, behind the replication filter.
 */
public final class UnderstudyInitializer implements ServletContainerInitializer {
  private static final Logger LOG = LoggerFactory.getLogger(UnderstudyInitializer.class);
  private static final String SERVICE = "understudy.service";

  @Override
  public void onStartup(Set<Class<?>> ignored, ServletContext context) throws ServletException {
    String service = context.getInitParameter(SERVICE);
    if (service == null) {
      return;
    }
    try {
      Class<?> type = Class.forName(service, true, context.getClassLoader());
      Configuration configuration = Configuration.load(ConfigurationFile.find(context));
      Deployment deployment = Deployment.open(configuration, type);
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
            }
          });
    } catch (ConfigurationException | IOException e) {
      LOG.error("Understudy does not start: {}", e.getMessage());
      throw new ServletException("Understudy does not start: " + e.getMessage());
    } catch (ReflectiveOperationException e) {
      throw new ServletException("The service " + service + " cannot be made: " + e + ".", e);
    }
  }
}
