package org.understudy.boot;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
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
    Replica replica = deployment.replica();
    return registry -> {
      Gauge.builder("understudy.epoch", replica, one -> one.status().view().epoch())
          .description("Epoch of the current view; grows with every failover.").register(registry);
      Gauge.builder("understudy.writable", replica, one -> one.status().writable() ? 1 : 0)
          .description("1 at the replica that executes updates.").register(registry);
      Gauge.builder("understudy.sessions", replica, one -> one.status().sessions())
          .description("Open sessions of the group.").register(registry);
      Gauge.builder("understudy.replayed", replica, one -> one.status().replayed())
          .description("Repeated requests that got their stored reply at this replica.").register(registry);
      Gauge.builder("understudy.unstable", replica, one -> one.status().received() - one.status().stable())
          .description("Updates at this replica that are not stable yet.").register(registry);
      deployment.meters().forEach(
          (name, meter) -> Gauge.builder("understudy." + name, meter, one -> one.getAsLong()).register(registry));
    };
  }
}
