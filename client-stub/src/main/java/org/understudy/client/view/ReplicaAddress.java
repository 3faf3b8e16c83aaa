package org.understudy.client.view;

import java.net.URI;
import java.util.EnumSet;
import java.util.Set;
import org.understudy.replication.api.RequestClass;

/**
 * One replica as a view lists it.
 *
 * @param id its number in the group
 * @param member whether it is in the view; a replica may be configured and outside
 * @param serves the requests that it serves in this view
 * @param address the URL of the service at this replica
 */
public record ReplicaAddress(int id, boolean member, Set<RequestClass> serves, URI address) {
  private static final Set<RequestClass> READS = Set.of(RequestClass.SESSION_READ, RequestClass.LOCAL_READ);

  public ReplicaAddress {
    serves = Set.copyOf(serves);
  }

  /**
   * From a view that states roles only, as older replicas send it.
   *
   * @param role primary, or none for a replica outside the view; any other is a member that serves reads
   */
  public static ReplicaAddress ofRole(int id, String role, URI address) {
    boolean member = !"none".equals(role);
    Set<RequestClass> serves =
        "primary".equals(role) ? EnumSet.allOf(RequestClass.class) : member ? READS : Set.<RequestClass>of();
    return new ReplicaAddress(id, member, serves, address);
  }

  /**
   * Whether requests of this client may go there: a client cannot distinguish reads from updates, so the replica must serve
   * updates.
   */
  public boolean isServer() {
    return serves.contains(RequestClass.UPDATE);
  }
}
