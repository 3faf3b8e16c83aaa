package org.understudy.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Role;

/**
 * Which replica serves what, and which one has which duty, is the strategy's decision: outside the heart, classes ask Routing
 * and Duties, and not which replica is the primary.
 */
class RoutingStructureTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  /** Strategies, what runs them, and what checks them. */
  private static final String[] HEART = {
    "org.understudy.replication.core..", "org.understudy.replication.runtime..", "org.understudy.replication.simulation..",
    "org.understudy.test.strategy.."
  };

  private static JavaClasses classes;

  @BeforeAll
  static void importAllModules() throws IOException {
    try (Stream<Path> directories = Files.walk(ROOT, 2)) {
      List<Path> compiled =
          directories
              .filter(directory -> Files.isDirectory(directory.resolve("src/main/java")))
              .map(directory -> directory.resolve("target/classes"))
              .filter(Files::isDirectory)
              .toList();
      classes = new ClassFileImporter().importPaths(compiled);
    }
    assertTrue(classes.contain(Role.class) && classes.contain("org.understudy.client.FaultTolerantGroup"), "not all is compiled");
    assertTrue(classes.contain("org.understudy.container.request.Forwarding"), "not all is compiled");
  }

  @Test
  void onlyTheHeartKnowsRoles() {
    noClasses().that().resideOutsideOfPackages(HEART)
        .should().dependOnClassesThat().belongToAnyOf(Role.class)
        .because("another strategy has other roles: ask Replica.routing() or Replica.duties()")
        .check(classes);
  }

  @Test
  void onlyTheHeartAsksWhichMemberIsThePrimary() {
    noClasses().that().resideOutsideOfPackages(HEART)
        .should().callMethod(View.class, "primary")
        .orShould().callMethod(View.class, "senior")
        .because("another strategy has other servers: ask Replica.routing()")
        .check(classes);
  }
}
