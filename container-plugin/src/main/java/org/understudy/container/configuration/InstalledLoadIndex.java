package org.understudy.container.configuration;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.understudy.replication.api.LoadIndex;

/** The load indexes that the web application and its jars install by {@code META-INF/services}. */
final class InstalledLoadIndex {
  /** The name of the index that is built in: the requests in progress. */
  static final String REQUESTS = "requests";

  private InstalledLoadIndex() {}

  /**
   * Returns a new instance of the index with this name; null for the requests in progress.
   *
   * @throws ConfigurationException when there is none, or it cannot be loaded
   */
  static LoadIndex named(String name, ClassLoader loader) throws ConfigurationException {
    if (name.equals(REQUESTS)) {
      return null;
    }
    List<String> names = new ArrayList<>(List.of(REQUESTS));
    try {
      for (LoadIndex index : ServiceLoader.load(LoadIndex.class, loader)) {
        if (index.name().equals(name)) {
          return index;
        }
        names.add(index.name());
      }
    } catch (ServiceConfigurationError e) {
      throw new ConfigurationException(
          "A load index that META-INF/services names cannot be loaded: " + e.getMessage() + ". Remove its entry, or add what it needs.");
    }
    throw new ConfigurationException(
        Key.LOAD_INDEX.property() + " is " + name + ", and no such index is installed; there are " + String.join(", ", names) + ".");
  }
}
