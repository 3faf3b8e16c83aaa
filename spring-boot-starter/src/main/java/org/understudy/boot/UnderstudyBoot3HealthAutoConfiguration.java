package org.understudy.boot;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.understudy.container.deployment.Deployment;

/**
 * Reports the health of the replica to Boot 3: up while it serves requests, out of service while it does not, down after it has
 * halted.
 */
@AutoConfiguration(after = UnderstudyAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(Deployment.class)
public class UnderstudyBoot3HealthAutoConfiguration {
  /** Called by Spring. */
  public UnderstudyBoot3HealthAutoConfiguration() {}

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
