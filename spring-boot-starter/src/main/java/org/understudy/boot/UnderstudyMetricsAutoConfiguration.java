package org.understudy.boot;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.function.LongSupplier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.understudy.container.deployment.Deployment;
import org.understudy.replication.runtime.Replica;

/** Registers the replica's meters with Micrometer. */
@AutoConfiguration(after = UnderstudyAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(Deployment.class)
public class UnderstudyMetricsAutoConfiguration {
  /** Called by Spring. */
  public UnderstudyMetricsAutoConfiguration() {}

  @Bean
  MeterBinder understudyMeters(Deployment deployment) {
    return registry -> deployment.replicas().forEach((group, replica) -> bind(registry, group, replica, deployment.meters(group)));
  }

  /** @param group becomes a tag unless it is empty */
  private static void bind(MeterRegistry registry, String group, Replica replica, Map<String, LongSupplier> more) {
    Tags tags = group.isEmpty() ? Tags.empty() : Tags.of("group", group);
    Gauge.builder("understudy.epoch", replica, one -> one.status().view().epoch()).tags(tags)
        .description("Epoch of the current view; grows with every failover.").register(registry);
    Gauge.builder("understudy.writable", replica, one -> one.status().writable() ? 1 : 0).tags(tags)
        .description("1 at the replica that executes updates.").register(registry);
    Gauge.builder("understudy.sessions", replica, one -> one.status().sessions()).tags(tags)
        .description("Open sessions of the group.").register(registry);
    Gauge.builder("understudy.replayed", replica, one -> one.status().replayed()).tags(tags)
        .description("Repeated requests that got their stored reply at this replica.").register(registry);
    Gauge.builder("understudy.unstable", replica, one -> one.status().received() - one.status().stable()).tags(tags)
        .description("Updates at this replica that are not stable yet.").register(registry);
    more.forEach((name, meter) -> Gauge.builder("understudy." + name, meter, one -> one.getAsLong()).tags(tags).register(registry));
  }
}
