package org.understudy.replication.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The core is a pure function: no threads, sockets, files, clocks, randomness or hash-iteration order. */
class PurityTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.understudy.replication");

  private static final ArchRule KNOWS_ONLY_THE_JDK_AND_THE_API =
      classes()
          .that().resideInAPackage("..replication.core..")
          .should().onlyDependOnClassesThat()
          .resideInAnyPackage("java.lang..", "java.nio", "java.nio.charset", "java.util", "java.util.function",
              "java.util.stream", "java.time", "..replication.core..", "..replication.api..");

  private static final ArchRule NO_CLOCK_NO_THREAD_NO_CHANCE_NO_HASH_ORDER =
      noClasses()
          .that().resideInAPackage("..replication.core..")
          .should().dependOnClassesThat()
          .haveNameMatching(
              "java\\.lang\\.(Thread|ThreadLocal|ProcessHandle|Runtime)|java\\.util\\.(Random|UUID|Timer|HashMap|HashSet)"
                  + "|java\\.util\\.concurrent\\..*|java\\.time\\.(Clock|Instant|LocalDateTime)");

  private static final ArchRule NOBODY_ASKS_THE_TIME =
      noClasses()
          .that().resideInAPackage("..replication.core..")
          .should().callMethod(System.class, "nanoTime")
          .orShould().callMethod(System.class, "currentTimeMillis");

  private static final ArchRule WHAT_STRATEGIES_SHARE_KNOWS_NONE_OF_THEM =
      noClasses()
          .that().resideInAnyPackage("..core.session..", "..core.store..", "..core.transfer..")
          .should().dependOnClassesThat()
          .resideInAnyPackage("..core.membership..", "..core.order..", "..core.primarybackup..", "..core.group..")
          .orShould().dependOnClassesThat()
          .haveNameMatching(".*\\.replication\\.api\\.View|.*\\.core\\.Role");

  private static final ArchRule DETECTION_KNOWS_NO_VIEW =
      noClasses()
          .that().resideInAPackage("..replication.core.detection..")
          .should().dependOnClassesThat()
          .resideInAnyPackage(
              "..core.membership..", "..core.primarybackup..", "..core.group..", "..core.order..", "..core.session..",
              "..core.transfer..")
          .orShould().dependOnClassesThat().haveNameMatching(".*\\.replication\\.api\\.View|.*\\.core\\.(Role|Message.*)");

  private static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("org.understudy.replication.core.(*)..").should().beFreeOfCycles();

  @Test
  void coreClassesAreImported() {
    assertTrue(CORE.contain("org.understudy.replication.core.membership.Membership"));
  }

  @Test
  void dependsOnlyOnTheJdkAndTheApi() {
    KNOWS_ONLY_THE_JDK_AND_THE_API.check(CORE);
  }

  @Test
  void usesNoClockThreadRandomnessOrHashOrder() {
    NO_CLOCK_NO_THREAD_NO_CHANCE_NO_HASH_ORDER.check(CORE);
    NOBODY_ASKS_THE_TIME.check(CORE);
  }

  @Test
  void sharedPackagesDoNotDependOnStrategies() {
    WHAT_STRATEGIES_SHARE_KNOWS_NONE_OF_THEM.check(CORE);
  }

  @Test
  void failureDetectionDoesNotDependOnViews() {
    DETECTION_KNOWS_NO_VIEW.check(CORE);
  }

  @Test
  void packagesHaveNoCycles() {
    PACKAGES_HAVE_NO_CYCLES.check(CORE);
  }
}
