package org.understudy.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.understudy.container.deployment.Deployment;

/** Several groups in one application: the settings of each are read, and health and meters report each. */
class GroupsTest {
  @Test
  void eachGroupIsConfiguredAndReported() throws Exception {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("application", Map.of(
        "understudy.groups", "orders,stock",
        "understudy.replica", "1",
        "understudy.replicas", "1=http://127.0.0.1:1/app",
        "understudy.group.orders.strategy", "none",
        "understudy.group.stock.strategy", "none",
        "understudy.group.stock.group", "warehouse")));
    try (Deployment deployment = new UnderstudyAutoConfiguration().understudyDeployment(environment)) {
      assertEquals(Set.of("orders", "stock"), deployment.replicas().keySet());
      ReplicaHealth health = ReplicaHealth.of(deployment);
      assertEquals(ReplicaHealth.State.OUT_OF_SERVICE, health.state(), "no endpoint is published yet");
      assertEquals(Set.of("orders", "stock"), health.details().keySet());
      deployment.replicas().get("stock").halt("the test asks for it");
      health = ReplicaHealth.of(deployment);
      assertEquals(ReplicaHealth.State.DOWN, health.state());
      assertEquals(Map.of("halted", "the test asks for it"), health.details().get("stock"));
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      new UnderstudyMetricsAutoConfiguration().understudyMeters(deployment).bindTo(registry);
      for (String group : deployment.replicas().keySet()) {
        assertNotNull(registry.find("understudy.sessions").tag("group", group).gauge());
        assertNotNull(registry.find("understudy.load").tag("group", group).gauge());
      }
    }
  }
}
