package org.understudy.container.health;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.management.JsonObject;
import org.understudy.replication.runtime.management.ReplicaHealth;

/**
 * Reports the health of a replica. {@code live}: the process works. {@code ready}: this replica serves at least one class of
 * requests in its view. {@code writable}, formerly {@code primary}: it would execute an update now. A replica that has lost its majority,
 * or resumes after a pause of its process, is not writable. Thread-safe; does not block.
 */
public final class Health implements HealthReport {
  private final Configuration configuration;
  private final Replica replica;
  private final Map<String, LongSupplier> meters;
  private final ReplicaHealth checks;

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
    this.checks = new ReplicaHealth(configuration.self(), replica, refusals);
  }

  /**
   * Evaluates one check: status 200 when it passes, else 503.
   *
   * @param check {@code /live}, {@code /ready}, {@code /writable} or its older name {@code /primary}
   * @return null for an unknown check
   */
  @Override
  public Answer answer(String check) {
    Boolean passed = checks.passes(check);
    if (passed == null) {
      return null;
    }
    List<ReplicaId> updates = replica.routing().servers(RequestClass.UPDATE);
    JsonObject report = group();
    checks.describe(report, checks.passes("/ready"));
    report.put("primary", updates.isEmpty() ? "" : configuration.url(updates.get(0)).toString());
    meters.forEach((name, meter) -> report.put(name, meter.getAsLong()));
    report.put("strategy", configuration.strategy().name()).put("transfer", configuration.transfer());
    return new Answer(passed ? 200 : 503, report + "\n");
  }

  private JsonObject group() {
    JsonObject report = new JsonObject();
    return configuration.localGroup().isEmpty() ? report : report.put("group", configuration.localGroup());
  }
}
