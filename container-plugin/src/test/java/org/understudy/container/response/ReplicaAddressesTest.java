package org.understudy.container.response;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.soap.ListedReplica;

class ReplicaAddressesTest {
  private static final String ALL = "update session linearizable-read session-read local-read";
  private static final String READS = "session-read local-read";
  private static final List<ReplicaId> CONFIGURED = IntStream.rangeClosed(1, 4).mapToObj(ReplicaId::new).toList();

  private static View view(int... members) {
    return new View(7, IntStream.of(members).mapToObj(ReplicaId::new).toList());
  }

  private static List<ListedReplica> of(Assignment assignment) {
    return ReplicaAddresses.of(assignment, CONFIGURED, id -> "http://h/" + id).replicas();
  }

  @Test
  void thePrimaryTheNextOneTheOthersAndThoseOutside() {
    assertEquals(
        List.of(
            new ListedReplica(3, "primary", ALL, "http://h/3"),
            new ListedReplica(1, "senior", READS, "http://h/1"),
            new ListedReplica(2, "backup", READS, "http://h/2"),
            new ListedReplica(4, "none", "", "http://h/4")),
        of(Assignment.ofPrimary(view(3, 1, 2))));
  }

  @Test
  void beforeTheFirstViewAllAreOutside() {
    assertEquals(
        List.of("none", "none", "none", "none"), of(Assignment.NONE).stream().map(ListedReplica::role).toList());
  }

  /** Clients that know roles only go to the preferred one of those that serve updates. */
  @Test
  void whereAllServeUpdatesOneIsCalledThePrimary() {
    View view = view(2, 3, 1);
    Map<RequestClass, List<ReplicaId>> servers = new EnumMap<>(RequestClass.class);
    servers.put(RequestClass.UPDATE, List.of(new ReplicaId(3), new ReplicaId(2), new ReplicaId(1)));
    assertEquals(
        List.of(
            new ListedReplica(2, "senior", "update", "http://h/2"),
            new ListedReplica(3, "primary", "update", "http://h/3"),
            new ListedReplica(1, "backup", "update", "http://h/1"),
            new ListedReplica(4, "none", "", "http://h/4")),
        of(new Assignment(view, servers, Map.of())));
  }
}
