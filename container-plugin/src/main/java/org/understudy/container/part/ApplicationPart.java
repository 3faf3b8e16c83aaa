package org.understudy.container.part;

import org.understudy.container.configuration.ConfigurationException;

/**
 * What another module adds to each web application with the plugin. Found by {@code ServiceLoader} in the web application, with a public
 * constructor without parameters; one object for each web application.
 */
public interface ApplicationPart extends AutoCloseable {
  /**
   * Adds its servlets while the web application starts, before anything is served.
   *
   * @throws ConfigurationException when a setting of this part is invalid; the web application then does not start
   */
  void register(PartContext context) throws ConfigurationException;

  /** Ends its threads at the end of the web application. Called also when {@link #register} threw or was not called. Idempotent. */
  @Override
  void close();
}
