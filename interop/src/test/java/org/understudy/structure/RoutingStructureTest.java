package org.understudy.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Role;

/**
 * Which replica serves what, and which one has which duty, is the strategy's decision: outside the heart, classes ask Routing
 * and Duties, and not which replica is the primary.
 */
class RoutingStructureTest {
  /** Strategies, what runs them, and what checks them. */
  private static final String[] HEART = {
    "org.understudy.replication.core..", "org.understudy.replication.runtime..", "org.understudy.replication.simulation..",
    "org.understudy.test.strategy.."
  };

  private static JavaClasses classes;

  @BeforeAll
  static void importAllModules() throws IOException {
    classes =
        CompiledModules.of("replication.core.Role", "client.FaultTolerantGroup", "container.forwarding.http.Forwarding");
  }

  @Test
  void onlyReplicationUsesRoles() {
    noClasses().that().resideOutsideOfPackages(HEART)
        .should().dependOnClassesThat().belongToAnyOf(Role.class)
        .because("another strategy has other roles: ask Replica.routing() or Replica.duties()")
        .check(classes);
  }

  @Test
  void onlyReplicationUsesThePrimary() {
    noClasses().that().resideOutsideOfPackages(HEART)
        .should().callMethod(View.class, "primary")
        .orShould().callMethod(View.class, "senior")
        .because("another strategy has other servers: ask Replica.routing()")
        .check(classes);
  }
}
