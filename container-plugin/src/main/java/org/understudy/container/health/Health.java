package org.understudy.container.health;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Role;
import org.understudy.replication.runtime.Replica;

/**
 * What a replica says of itself. {@code live}: the process works. {@code ready}: this replica is in a view. {@code
 * primary}: it is the primary and would execute an update now; one that has lost its majority, or wakes from a pause, is
 * not. Thread-safe; does not block.
 */
public final class Health {
  /**
   * An answer over HTTP.
   *
   * @param body one line of JSON
   */
  record Answer(int status, String body) {}

  private final Configuration configuration;
  private final Replica replica;
  private final Map<String, LongSupplier> meters;

  /** @param meters numbers that are told beside the replica's own, by name, in this order */
  public Health(Configuration configuration, Replica replica, Map<String, LongSupplier> meters) {
    this.configuration = configuration;
    this.replica = replica;
    this.meters = new LinkedHashMap<>(meters);
  }

  /**
   * Answers 200 or 503.
   *
   * @param which {@code /live}, {@code /ready} or {@code /primary}
   * @return null when it is something else
   */
  Answer answer(String which) {
    ReplicaStatus status = replica.status();
    String halted = replica.halted();
    boolean works = halted == null;
    boolean primary = works && status.role() == Role.PRIMARY;
    boolean ok;
    switch (String.valueOf(which)) {
      case "/live" -> ok = works;
      case "/ready" -> ok = primary || (works && status.role() == Role.BACKUP);
      case "/primary" -> ok = primary && status.writable();
      default -> {
        return null;
      }
    }
    String primaryUrl = status.view().primary() == null ? "" : configuration.url(status.view().primary()).toString();
    JsonObject report =
        new JsonObject()
            .put("replica", configuration.self().number())
            .put("pid", ProcessHandle.current().pid())
            .put("role", works ? status.role().toString() : "HALTED");
    if (!works) {
      report.put("halted", halted);
    }
    report
        .put("epoch", status.view().epoch())
        .put("members", status.view().members().stream().map(member -> (long) member.number()).toList())
        .put("since", replica.viewSince().toString())
        .put("primary", primaryUrl)
        .put("received", status.received())
        .put("stable", status.stable())
        .put("writable", status.writable())
        .put("sessions", status.sessions())
        .put("replayed", status.replayed());
    meters.forEach((name, meter) -> report.put(name, meter.getAsLong()));
    report.put("strategy", configuration.strategy().name()).put("transfer", configuration.transfer());
    return new Answer(ok ? 200 : 503, report + "\n");
  }
}
