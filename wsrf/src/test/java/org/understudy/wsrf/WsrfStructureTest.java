package org.understudy.wsrf;

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
import org.understudy.replication.runtime.state.AppliedState;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.replication.runtime.state.WholeState;
import org.understudy.replication.runtime.time.GroupClocks;

/** What resources may know: neither the server, nor the SOAP stack of services, nor the replica. */
class WsrfStructureTest {
  private static final Set<Class<?>> OF_THE_RUNTIME =
      Set.of(Duties.class, DutyListener.class, AppliedState.class, StateListener.class, WholeState.class, GroupClocks.class);

  private final JavaClasses classes =
      new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("org.understudy.wsrf");

  @Test
  void resourcesDoNotDependOnServletsOrCxf() {
    noClasses().should().dependOnClassesThat(resideInAnyPackage("jakarta.servlet..", "org.apache..")).check(classes);
  }

  @Test
  void resourcesUseOnlyStateDutiesAndClocksOfTheReplica() {
    DescribedPredicate<JavaClass> more =
        DescribedPredicate.describe(
            "of the runtime but " + OF_THE_RUNTIME,
            found -> OF_THE_RUNTIME.stream().noneMatch(allowed -> found.isEquivalentTo(allowed)));
    noClasses()
        .should()
        .dependOnClassesThat(resideInAPackage("org.understudy.replication.runtime..").and(more))
        .check(classes);
  }
}
