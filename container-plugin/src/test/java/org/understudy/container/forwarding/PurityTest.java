package org.understudy.container.forwarding;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The rules of forwarding know neither servlets nor sockets nor clocks, so that a simulation can run them. */
class PurityTest {
  private static final JavaClasses FORWARDING =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.understudy.container.forwarding")
          .that(resideInAPackage("org.understudy.container.forwarding"));

  @Test
  void dependsOnlyOnTheJdkAndReplication() {
    classes().should().onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java.lang..", "java.util", "java.util.function", "org.understudy.container.forwarding",
            "org.understudy.replication.api", "org.understudy.replication.core..")
        .check(FORWARDING);
  }

  @Test
  void usesNoClockAndDoesNotBlock() {
    noClasses().should().callMethod(System.class, "nanoTime")
        .orShould().callMethod(System.class, "currentTimeMillis")
        .orShould().dependOnClassesThat().haveNameMatching("java\\.lang\\.(Thread|ThreadLocal)")
        .check(FORWARDING);
  }
}
