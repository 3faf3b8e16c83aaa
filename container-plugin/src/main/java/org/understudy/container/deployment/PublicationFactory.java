package org.understudy.container.deployment;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.replication.core.limit.KeyKind;

/**
 * Publishes something other than a service class, for example a notification broker. Loaded with {@link ServiceLoader} in the
 * web application; needs a public constructor without parameters.
 */
public interface PublicationFactory {
  /** Returns the name by which the web application selects it, for example {@code broker}. */
  String name();

  /** Returns the kinds of keys under which only this publication stores replicated state. */
  List<KeyKind> kinds(Configuration configuration);

  /** @throws ConfigurationException when a setting for the publication is invalid */
  Publication publish(PublicationContext context) throws ConfigurationException;

  /** Returns the factory of this name in the web application that holds the plugin. */
  static Optional<PublicationFactory> named(String name) {
    return ServiceLoader.load(PublicationFactory.class, PublicationFactory.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(factory -> factory.name().equals(name))
        .findFirst();
  }
}
