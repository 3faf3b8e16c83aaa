package org.understudy.client.view;

import java.net.URI;

/**
 * One replica as a view lists it.
 *
 * @param id its number in the group
 * @param role primary, backup, or none for a replica that is configured but outside the view
 * @param address the URL of the service at this replica
 */
public record ReplicaAddress(int id, String role, URI address) {
  public boolean isPrimary() {
    return "primary".equals(role);
  }

  public boolean isMember() {
    return !"none".equals(role);
  }
}
