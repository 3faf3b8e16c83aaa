package org.understudy.container.attachment;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cxf.endpoint.Endpoint;
import org.understudy.container.configuration.ConfigurationException;

/**
 * The groups of a web application, and the endpoints that its configuration selects for each. The only group of an application can have
 * the empty name. Thread-safe.
 */
public final class SelectedEndpoints {
  private static final String ALL = "*";

  private final Map<String, Set<String>> byGroup = new TreeMap<>();
  /** The names that no endpoint has had yet. */
  private final Set<String> unmatched = ConcurrentHashMap.newKeySet();

  /**
   * @param byGroup for each group, the names or addresses of endpoints that are replicated without the annotation or the feature; {@code *}
   *     for all
   */
  public SelectedEndpoints(Map<String, Set<String>> byGroup) {
    byGroup.forEach((group, names) -> {
      this.byGroup.put(group, Set.copyOf(names));
      unmatched.addAll(names);
    });
    unmatched.remove(ALL);
  }

  /** Returns the names and addresses that no endpoint has had. */
  public Set<String> unmatched() {
    return new TreeSet<>(unmatched);
  }

  /**
   * Returns the group of an endpoint.
   *
   * @param marked whether the application marks the endpoint
   * @param named the groups that its marks name
   * @return null when the endpoint is not replicated
   * @throws ConfigurationException when the group is unknown or unclear
   */
  String group(Endpoint endpoint, boolean marked, Set<String> named) throws ConfigurationException {
    Set<String> selecting = new TreeSet<>();
    byGroup.forEach((group, names) -> {
      if (isSelected(endpoint, names)) {
        selecting.add(group);
      }
    });
    if (!marked && selecting.isEmpty()) {
      return null;
    }
    selecting.addAll(named);
    if (!byGroup.keySet().containsAll(selecting)) {
      throw new ConfigurationException(
          "its mark names the group " + String.join(", ", named) + ", and "
              + (byGroup.containsKey("") ? "understudy.groups is not set." : "understudy.groups lists " + groups() + "."));
    }
    if (selecting.size() > 1) {
      throw new ConfigurationException(
          "it has several groups, " + String.join(", ", selecting) + ", by its mark or understudy.group.NAME.endpoints. Give it one.");
    }
    if (selecting.isEmpty() && !byGroup.containsKey("")) {
      throw new ConfigurationException(
          "its mark names no group, and understudy.groups lists " + groups() + ". Name one in @FaultTolerant(group = …) or the feature, "
              + "or set understudy.group.NAME.endpoints.");
    }
    return selecting.isEmpty() ? "" : selecting.iterator().next();
  }

  /** Returns the key that selects endpoints. */
  String key() {
    return byGroup.containsKey("") ? "understudy.endpoints" : "understudy.group.NAME.endpoints";
  }

  private String groups() {
    return String.join(", ", byGroup.keySet());
  }

  private boolean isSelected(Endpoint endpoint, Set<String> names) {
    List<String> own =
        List.of(
            endpoint.getEndpointInfo().getName().getLocalPart(), endpoint.getEndpointInfo().getName().toString(),
            endpoint.getEndpointInfo().getAddress());
    own.forEach(unmatched::remove);
    return names.contains(ALL) || own.stream().anyMatch(names::contains);
  }
}
