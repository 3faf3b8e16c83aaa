package org.understudy.container.health;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.Duty;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.runtime.Replica;

/**
 * Reports the health of a replica. {@code live}: the process works. {@code ready}: this replica serves at least one class of
 * requests in its view. {@code writable}, formerly {@code primary}: it would execute an update now. A replica that has lost its majority,
 * or resumes after a pause of its process, is not writable. Thread-safe; does not block.
 */
public final class Health implements HealthReport {
  private final Configuration configuration;
  private final Replica replica;
  private final Map<String, LongSupplier> meters;
  private final Supplier<List<String>> refusals;

  /**
   * Reports the health of this replica.
   *
   * @param meters numbers that are reported in addition to the replica's own, by name, in this order; entries added later are
   *     reported as well
   * @param refusals returns the replicas that are not connected because one refuses the other, each with the reason
   */
  public Health(Configuration configuration, Replica replica, Map<String, LongSupplier> meters, Supplier<List<String>> refusals) {
    this.configuration = configuration;
    this.replica = replica;
    this.meters = meters;
    this.refusals = refusals;
  }

  /**
   * Evaluates one check: status 200 when it passes, else 503.
   *
   * @param check {@code /live}, {@code /ready}, {@code /writable} or its older name {@code /primary}
   * @return null for an unknown check
   */
  @Override
  public Answer answer(String check) {
    ReplicaStatus status = replica.status();
    String halted = replica.halted();
    boolean live = halted == null;
    Set<RequestClass> served = live ? replica.routing().served() : Set.of();
    boolean writable = live && status.writable();
    boolean passed;
    switch (String.valueOf(check)) {
      case "/live" -> passed = live;
      case "/ready" -> passed = !served.isEmpty();
      case "/writable", "/primary" -> passed = writable;
      default -> {
        return null;
      }
    }
    List<ReplicaId> updates = replica.routing().servers(RequestClass.UPDATE);
    String updatesUrl = updates.isEmpty() ? "" : configuration.url(updates.get(0)).toString();
    JsonObject report =
        group()
            .put("replica", configuration.self().number())
            .put("pid", ProcessHandle.current().pid())
            .put("role", live ? status.roleName() : "HALTED");
    if (!live) {
      report.put("halted", halted);
    }
    List<String> refused = refusals.get();
    if (!refused.isEmpty()) {
      report.putTexts("refused", refused);
    }
    report
        .put("epoch", status.view().epoch())
        .put("members", status.view().members().stream().map(member -> (long) member.number()).toList())
        .put("since", replica.viewSince().toString())
        .put("primary", updatesUrl)
        .put("received", status.received())
        .put("stable", status.stable())
        .put("ready", !served.isEmpty())
        .put("writable", writable)
        .putTexts("serves", served.stream().map(RequestClass::wireName).toList())
        .putTexts("duties", live ? replica.duties().current().stream().map(Duty::wireName).toList() : List.of())
        .put("wire", status.wire())
        .put("sessions", status.sessions())
        .put("replayed", status.replayed());
    meters.forEach((name, meter) -> report.put(name, meter.getAsLong()));
    report.put("strategy", configuration.strategy().name()).put("transfer", configuration.transfer());
    return new Answer(passed ? 200 : 503, report + "\n");
  }

  private JsonObject group() {
    JsonObject report = new JsonObject();
    return configuration.localGroup().isEmpty() ? report : report.put("group", configuration.localGroup());
  }
}
