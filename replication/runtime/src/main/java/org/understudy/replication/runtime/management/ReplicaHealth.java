package org.understudy.replication.runtime.management;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.understudy.replication.api.Duty;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.runtime.Replica;

/**
 * The health checks of one replica. {@code live}: it has not halted. {@code ready}: it serves at least one class of requests in its
 * view, reaches a replica that executes updates, and its database, if it has one, does not prevent that. {@code writable}, formerly
 * {@code primary}: it executes updates, and where only a primary does, no other replica passes this check now. Thread-safe; does not
 * block.
 */
public final class ReplicaHealth {
  private final ReplicaId self;
  private final Replica replica;
  private final Supplier<List<String>> refusals;

  /** @param refusals returns the replicas that are not connected because one refuses the other, each with the reason */
  public ReplicaHealth(ReplicaId self, Replica replica, Supplier<List<String>> refusals) {
    this.self = self;
    this.replica = replica;
    this.refusals = refusals;
  }

  /**
   * Evaluates one check.
   *
   * @param check {@code /live}, {@code /ready}, {@code /writable} or its older name {@code /primary}
   * @return null for an unknown check
   */
  public Boolean passes(String check) {
    boolean live = replica.halted() == null;
    return switch (String.valueOf(check)) {
      case "/live" -> live;
      case "/ready" -> live && replica.blocked() == null && !replica.status().minority() && serves();
      case "/writable", "/primary" -> live && replica.status().writable();
      default -> null;
    };
  }

  /** What it serves in its view; without a majority only reads that need none. */
  private Set<RequestClass> served(ReplicaStatus status) {
    Set<RequestClass> served = replica.routing().served();
    if (!status.minority()) {
      return served;
    }
    Set<RequestClass> left = new LinkedHashSet<>(served);
    left.removeAll(Set.of(RequestClass.UPDATE, RequestClass.SESSION, RequestClass.LINEARIZABLE_READ));
    return left;
  }

  /** Whether it serves something in its view, and updates that it is sent would be executed: here, or where it can pass them on. */
  private boolean serves() {
    if (replica.routing().served().isEmpty()) {
      return false;
    }
    List<ReplicaId> servers = replica.routing().servers(RequestClass.UPDATE);
    return servers.isEmpty() || servers.stream().anyMatch(server -> !replica.isOutOfReach(server));
  }

  /**
   * Adds the state of the replica to a report.
   *
   * @param ready what the report states about the check of this name
   */
  public void describe(JsonObject report, boolean ready) {
    ReplicaStatus status = replica.status();
    String halted = replica.halted();
    boolean live = halted == null;
    String blocked = live ? replica.blocked() : null;
    Set<RequestClass> served = live && blocked == null ? served(status) : Set.of();
    report
        .put("replica", self.number())
        .put("pid", ProcessHandle.current().pid())
        .put("role", live ? status.roleName() : "HALTED");
    if (!live) {
      report.put("halted", halted);
    }
    if (blocked != null) {
      report.put("blocked", blocked);
    }
    String awaits = live ? replica.awaited() : null;
    if (awaits != null) {
      report.put("awaits", awaits);
    }
    List<String> refused = new ArrayList<>(refusals.get());
    if (live && status.refusal() != null) {
      refused.add(status.refusal());
    }
    if (!refused.isEmpty()) {
      report.putTexts("refused", refused);
    }
    if (!status.waiting().isEmpty()) {
      report.putTexts("waiting", status.waiting().entrySet().stream().map(ReplicaHealth::wait).toList());
    }
    if (live && status.minority()) {
      report.put("majority", false);
    }
    if (live && status.arrived() > 0) {
      report.put("stateBytesReceived", status.arrived());
    }
    if (live && !replica.detours().isEmpty()) {
      report.putTexts("detours", replica.detours());
    }
    long ahead = replica.clocks().disagreement().toMillis();
    if (ahead != 0) {
      report.put("clockAheadMs", ahead);
    }
    report
        .put("epoch", status.view().epoch())
        .put("members", status.view().members().stream().map(member -> (long) member.number()).toList())
        .put("since", replica.viewSince().toString())
        .put("received", status.received())
        .put("stable", status.stable())
        .put("ready", ready)
        .put("writable", live && status.writable())
        .putTexts("serves", served.stream().map(RequestClass::wireName).toList())
        .putTexts("duties", live ? replica.duties().current().stream().map(Duty::wireName).toList() : List.of())
        .put("wire", status.wire())
        .put("sessions", status.sessions())
        .put("replayed", status.replayed());
  }

  private static String wait(Map.Entry<ReplicaId, Long> one) {
    return "replica " + one.getKey() + " is no member for " + (one.getValue() / 1_000 + 1)
        + " s at most, because it has left the view repeatedly";
  }
}
