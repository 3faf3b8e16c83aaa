package org.understudy.client.view;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The query strings of the configured addresses, as a gateway between client and replicas may need them. Views list addresses
 * without them. Immutable.
 */
final class ConfiguredQueries {
  private final Map<String, String> queries = new HashMap<>();
  /** Of addresses that are not configured. */
  private final String first;

  ConfiguredQueries(List<URI> configured) {
    for (URI address : configured) {
      if (address.getRawQuery() != null) {
        queries.putIfAbsent(withoutQuery(address), address.getRawQuery());
      }
    }
    this.first = configured.isEmpty() ? null : configured.get(0).getRawQuery();
  }

  private static String withoutQuery(URI address) {
    String text = address.toString();
    return address.getRawQuery() == null ? text : text.substring(0, text.indexOf('?'));
  }

  URI addedTo(URI address) {
    String query = queries.isEmpty() || address.getRawQuery() != null ? null : queries.getOrDefault(address.toString(), first);
    return query == null ? address : URI.create(address + "?" + query);
  }

  GroupView addedTo(GroupView view) {
    return queries.isEmpty()
        ? view
        : new GroupView(
            view.epoch(),
            view.replicas().stream()
                .map(one -> new ReplicaAddress(one.id(), one.member(), one.serves(), addedTo(one.address()))).toList());
  }
}
