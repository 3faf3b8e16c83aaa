package org.understudy.replication.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The core is a pure function: no threads, sockets, files, clocks, randomness or hash-iteration order. */
@AnalyzeClasses(packages = "org.understudy.replication", importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
  @ArchTest
  static final ArchRule KNOWS_ONLY_THE_JDK_AND_THE_API =
      classes()
          .that().resideInAPackage("..replication.core..")
          .should().onlyDependOnClassesThat()
          .resideInAnyPackage("java.lang..", "java.util", "java.time", "..replication.core..", "..replication.api..");

  @ArchTest
  static final ArchRule NO_CLOCK_NO_THREAD_NO_CHANCE_NO_HASH_ORDER =
      noClasses()
          .that().resideInAPackage("..replication.core..")
          .should().dependOnClassesThat()
          .haveNameMatching(
              "java\\.lang\\.(Thread|ThreadLocal|ProcessHandle|Runtime)|java\\.util\\.(Random|UUID|Timer|HashMap|HashSet)"
                  + "|java\\.util\\.concurrent\\..*|java\\.time\\.(Clock|Instant|LocalDateTime)");

  @ArchTest
  static final ArchRule NOBODY_ASKS_THE_TIME =
      noClasses()
          .that().resideInAPackage("..replication.core..")
          .should().callMethod(System.class, "nanoTime")
          .orShould().callMethod(System.class, "currentTimeMillis");

  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("org.understudy.replication.core.(*)..").should().beFreeOfCycles();
}
