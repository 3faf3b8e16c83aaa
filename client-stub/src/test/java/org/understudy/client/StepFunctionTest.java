package org.understudy.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What decides for the stub has no clock, thread or connection, so that a simulation can run it. */
class StepFunctionTest {
  private static final Set<String> DECIDING =
      Set.of(
          "RetryingInvocation", "Step", "NoAnswer", "ReplicaSelector", "ResponseDisposition", "Backoff", "Reachability",
          "SessionLifecycle",
          "SequenceWindow", "Session", "SeenVersions", "ViewPolls", "KnownViews", "GroupView");
  private static final JavaClasses STUB =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.understudy.client.invocation", "org.understudy.client.session", "org.understudy.client.view");
  private static final DescribedPredicate<JavaClass> DECIDES =
      DescribedPredicate.describe(
          "decide",
          type -> DECIDING.contains(type.getName().replaceAll("^.*\\.|\\$.*$", "")));

  @Test
  void containsAllFiles() {
    assertEquals(
        DECIDING.size(),
        STUB.stream().filter(DECIDES.and(JavaClass.Predicates.TOP_LEVEL_CLASSES)).count());
  }

  @Test
  void noClock() {
    noClasses().that(DECIDES).should().callMethod(System.class, "nanoTime")
        .orShould().callMethod(System.class, "currentTimeMillis")
        .check(STUB);
  }

  @Test
  void noThreadAndNoConnection() {
    noClasses().that(DECIDES).should().dependOnClassesThat().haveNameMatching(
            "java\\.lang\\.Thread.*|java\\.util\\.concurrent\\.(locks\\..*|.*Future|.*Executor.*|CountDownLatch)"
                + "|java\\.net\\.[^U].*|org\\.apache\\..*|org\\.understudy\\.client\\.connection\\..*")
        .check(STUB);
    noClasses().that(DECIDES).should().callMethod(Object.class, "wait").orShould().callMethod(Object.class, "wait", long.class)
        .check(STUB);
  }
}
