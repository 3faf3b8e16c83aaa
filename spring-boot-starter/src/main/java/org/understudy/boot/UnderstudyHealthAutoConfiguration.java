package org.understudy.boot;

import java.util.Set;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.understudy.container.deployment.Deployment;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.runtime.Replica;

/** Reports the health of the replica: up while it serves requests, out of service while it does not, down after it has halted. */
@AutoConfiguration(after = UnderstudyAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(Deployment.class)
public class UnderstudyHealthAutoConfiguration {
  /** Called by Spring. */
  public UnderstudyHealthAutoConfiguration() {}

  @Bean
  HealthIndicator understudyHealthIndicator(Deployment deployment) {
    return () -> health(deployment.replica());
  }

  private static Health health(Replica replica) {
    String halted = replica.halted();
    if (halted != null) {
      return Health.down().withDetail("halted", halted).build();
    }
    Set<RequestClass> served = replica.routing().served();
    return (served.isEmpty() ? Health.outOfService() : Health.up())
        .withDetail("role", replica.status().roleName())
        .withDetail("epoch", replica.status().view().epoch())
        .withDetail("writable", replica.status().writable())
        .build();
  }
}
