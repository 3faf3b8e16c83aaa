package org.understudy.container.deployment;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.Key;
import org.understudy.container.part.ApplicationPart;
import org.understudy.container.part.PartContext;

/** What other modules add to one web application. Registered by one thread, closed by any. */
final class InstalledParts {
  private static final Logger LOG = LoggerFactory.getLogger(InstalledParts.class);

  private final List<ApplicationPart> parts = new ArrayList<>();

  /** @throws ConfigurationException when a setting of a part is invalid, or its module is missing */
  void register(PartContext context) throws ConfigurationException {
    for (ApplicationPart part : ServiceLoader.load(ApplicationPart.class, context.classLoader())) {
      synchronized (parts) {
        parts.add(part);
      }
      part.register(context);
    }
    if (parts.isEmpty() && context.configuration().wsat() != null) {
      throw new ConfigurationException(
          Key.WSAT.property() + " is set, but the web application does not contain the module understudy-wsat. Add it and its "
              + "dependencies to WEB-INF/lib, or set the key to off.");
    }
  }

  /** Idempotent. An exception is logged, and the next part is closed. */
  void close() {
    synchronized (parts) {
      for (ApplicationPart part : parts) {
        try {
          part.close();
        } catch (RuntimeException e) {
          LOG.error("{} cannot be closed completely.", part.getClass().getName(), e);
        }
      }
      parts.clear();
    }
  }
}
