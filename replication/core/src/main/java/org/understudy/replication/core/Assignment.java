package org.understudy.replication.core;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.understudy.replication.api.Duty;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.View;

/**
 * Assigns the requests and duties of a group to the members of a view. Every replica that knows the view computes the same
 * assignment, see {@link ReplicationStrategy#assign}.
 *
 * @param servers the members that serve requests of a class, the preferred one first; no replica serves a class without
 *     entry
 * @param duties the member that has a duty, one that serves updates; no replica has a duty without entry
 */
public record Assignment(View view, Map<RequestClass, List<ReplicaId>> servers, Map<Duty, ReplicaId> duties) {
  /** Before the first view: no replica serves anything. */
  public static final Assignment NONE = new Assignment(View.NONE, Map.of(), Map.of());

  public Assignment {
    EnumMap<RequestClass, List<ReplicaId>> byClass = new EnumMap<>(RequestClass.class);
    servers.forEach((request, replicas) -> byClass.put(request, List.copyOf(replicas)));
    servers = Collections.unmodifiableMap(byClass);
    duties = Map.copyOf(duties);
    if (!servers(RequestClass.UPDATE, byClass).containsAll(duties.values())) {
      throw new IllegalArgumentException("A duty is done by updates, so its holder serves them: " + byClass + ", " + duties);
    }
    if (!byClass.values().stream().allMatch(view.members()::containsAll)) {
      throw new IllegalArgumentException("Only members of a view have work in it: " + view + ", " + byClass + ", " + duties);
    }
  }

  /** The view's primary serves every request and has every duty; the other members serve session and local reads. */
  public static Assignment ofPrimary(View view) {
    if (view.members().isEmpty()) {
      return NONE;
    }
    List<ReplicaId> primary = List.of(view.primary());
    EnumMap<RequestClass, List<ReplicaId>> servers = new EnumMap<>(RequestClass.class);
    servers.put(RequestClass.UPDATE, primary);
    servers.put(RequestClass.SESSION, primary);
    servers.put(RequestClass.LINEARIZABLE_READ, primary);
    servers.put(RequestClass.SESSION_READ, view.members());
    servers.put(RequestClass.LOCAL_READ, view.members());
    EnumMap<Duty, ReplicaId> duties = new EnumMap<>(Duty.class);
    for (Duty duty : Duty.values()) {
      duties.put(duty, view.primary());
    }
    return new Assignment(view, servers, duties);
  }

  /** Every member serves every request. The first member is preferred and has every duty. */
  public static Assignment ofAll(View view) {
    if (view.members().isEmpty()) {
      return NONE;
    }
    EnumMap<RequestClass, List<ReplicaId>> servers = new EnumMap<>(RequestClass.class);
    for (RequestClass request : RequestClass.values()) {
      servers.put(request, view.members());
    }
    EnumMap<Duty, ReplicaId> duties = new EnumMap<>(Duty.class);
    for (Duty duty : Duty.values()) {
      duties.put(duty, view.members().get(0));
    }
    return new Assignment(view, servers, duties);
  }

  public long epoch() {
    return view.epoch();
  }

  /** The members that serve a request, the preferred one first; may be empty. */
  public List<ReplicaId> servers(RequestClass request) {
    return servers(request, servers);
  }

  private static List<ReplicaId> servers(RequestClass request, Map<RequestClass, List<ReplicaId>> servers) {
    return servers.getOrDefault(request, List.of());
  }

  /** What a replica serves; empty for one outside the view. */
  public Set<RequestClass> servedBy(ReplicaId replica) {
    EnumSet<RequestClass> served = EnumSet.noneOf(RequestClass.class);
    servers.forEach((request, replicas) -> {
      if (replicas.contains(replica)) {
        served.add(request);
      }
    });
    return served;
  }

  /** The member that has a duty, or null. */
  public ReplicaId holder(Duty duty) {
    return duties.get(duty);
  }
}
