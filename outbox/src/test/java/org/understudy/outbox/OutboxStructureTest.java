package org.understudy.outbox;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.understudy.replication.runtime.routing.Duties;
import org.understudy.replication.runtime.routing.DutyListener;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.replication.runtime.state.WholeState;

/** The outbox depends on neither the server, nor the SOAP stack of services, nor most of the replica. */
class OutboxStructureTest {
  private static final Set<Class<?>> ALLOWED_RUNTIME_TYPES =
      Set.of(Duties.class, DutyListener.class, StateListener.class, WholeState.class);

  private final JavaClasses classes =
      new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("org.understudy.outbox");

  @Test
  void theOutboxUsesNeitherServletsNorCxf() {
    noClasses().should().dependOnClassesThat(resideInAnyPackage("jakarta.servlet..", "org.apache..")).check(classes);
  }

  @Test
  void theOutboxUsesOnlyStateAndDutiesOfTheReplica() {
    DescribedPredicate<JavaClass> forbidden =
        DescribedPredicate.describe(
            "in the runtime, except " + ALLOWED_RUNTIME_TYPES,
            found -> ALLOWED_RUNTIME_TYPES.stream().noneMatch(allowed -> found.isEquivalentTo(allowed)));
    noClasses()
        .should()
        .dependOnClassesThat(resideInAPackage("org.understudy.replication.runtime..").and(forbidden))
        .check(classes);
  }
}
