package org.understudy.container.deployment;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.Key;
import org.understudy.container.execution.KeyScope;
import org.understudy.container.invoker.ReplicationPlace;
import org.understudy.container.service.ServiceState;
import org.understudy.replication.runtime.handshake.GroupDescription;
import org.understudy.replication.runtime.handshake.ServedService;

/** The services of this replica, as replicas compare them when they connect. Complete when the replica joins. Thread-safe. */
public final class ServedServices implements Supplier<List<ServedService>> {
  private final Configuration configuration;
  private final List<ServedService> services = new ArrayList<>();

  ServedServices(Configuration configuration) {
    this.configuration = configuration;
  }

  /**
   * Adds a service.
   *
   * @param place where its requests are replicated
   * @param state of the service, or of its resources
   * @param oneResource whether the service object itself is the only resource
   * @throws ConfigurationException when there are too many services to be compared
   */
  synchronized void add(String path, KeyScope scope, ReplicationPlace place, ServiceState state, boolean oneResource)
      throws ConfigurationException {
    SortedMap<String, String> settings = settings();
    settings.put(Key.PLACE.property(), place.isAfterCxf() ? "after" : "before");
    settings.put("name", scope.name());
    settings.put("resources", oneResource ? "one" : "many");
    settings.put("state", state.kind());
    add(new ServedService(path, settings, state.fingerprint(), state.classes()));
  }

  /** Adds what is published at a path, unless it has been added as a service. */
  synchronized void add(String path) throws ConfigurationException {
    if (services.stream().noneMatch(service -> service.path().equals(path))) {
      add(new ServedService(path, settings(), "", new TreeMap<>()));
    }
  }

  private void add(ServedService service) throws ConfigurationException {
    services.add(service);
    if (!GroupDescription.canCompare(services)) {
      throw new ConfigurationException(
          "The service " + service.path() + " cannot be replicated: this web application has more services than replicas can compare "
              + "when they connect. Shorten the paths, or divide it into several web applications.");
    }
  }

  private SortedMap<String, String> settings() {
    SortedMap<String, String> settings = new TreeMap<>();
    settings.put(Key.WSRF.property(), configuration.wsrf() ? "on" : "off");
    if (configuration.strategy().needsEqualJournals()) {
      settings.put(Key.JOURNAL.property(), configuration.keepsJournal() ? "disk" : "none");
    }
    return settings;
  }

  @Override
  public synchronized List<ServedService> get() {
    return List.copyOf(services);
  }
}
