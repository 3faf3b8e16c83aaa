package org.understudy.boot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.understudy.container.deployment.Deployment;

/**
 * Reports the health of the replica to Boot 4: up while it serves requests, out of service while it does not, down after it has
 * halted.
 */
@AutoConfiguration(after = UnderstudyAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(Deployment.class)
public class UnderstudyHealthAutoConfiguration {
  /** Called by Spring. */
  public UnderstudyHealthAutoConfiguration() {}

  @Bean
  HealthIndicator understudyHealthIndicator(Deployment deployment) {
    return () -> health(ReplicaHealth.of(deployment));
  }

  private static Health health(ReplicaHealth replica) {
    Health.Builder builder = switch (replica.state()) {
      case UP -> Health.up();
      case OUT_OF_SERVICE -> Health.outOfService();
      case DOWN -> Health.down();
    };
    return builder.withDetails(replica.details()).build();
  }
}
