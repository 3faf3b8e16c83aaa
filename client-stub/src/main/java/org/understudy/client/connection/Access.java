package org.understudy.client.connection;

import java.util.Map;

/**
 * What the calls of one principal and the session operations for them have in common. Equal ones share a session.
 *
 * @param authorization the HTTP Authorization header's value; null for none
 * @param fields HTTP header fields of every request
 * @param connections with the proxy and the TLS settings of the port
 */
public record Access(String authorization, Map<String, String> fields, ReplicaConnections connections) {
  public Access {
    fields = Map.copyOf(fields);
  }
}
