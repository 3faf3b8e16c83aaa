package org.understudy.boot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.cxf.Bus;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.understudy.container.configuration.ApplicationConfiguration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.deployment.Deployment;

/**
 * Replicates the marked endpoints of an application with an embedded Tomcat, which does not call the initializers of jars. Active
 * when {@code understudy.replica} is set. The keys of the configuration are properties of the application; with
 * {@code understudy.config} they are read from a file, which overrides the properties of the application.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "understudy.replica")
public class UnderstudyAutoConfiguration {
  private static final String FILE = "understudy.config";

  /** Called by Spring. */
  public UnderstudyAutoConfiguration() {}

  /**
   * Opens the replicas, one for each group. They join when the application's endpoints are published.
   *
   * @throws ConfigurationException when a property is missing or invalid
   * @throws IOException when an address or a directory cannot be used
   */
  @Bean(destroyMethod = "close")
  Deployment understudyDeployment(Environment environment)
      throws ConfigurationException, IOException, ReflectiveOperationException {
    Properties properties = ApplicationConfiguration.properties(environment::getProperty);
    String file = environment.getProperty(FILE);
    return Deployment.open(ApplicationConfiguration.load(file == null ? null : Path.of(file), properties));
  }

  @Bean
  ServletContextInitializer understudyServletContextInitializer(Deployment deployment) {
    return deployment::register;
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
}
