package org.understudy.container;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** CXF and the servlet API meet where a service is deployed, and nowhere else. */
class ServletAndCxfTest {
  private static final JavaClasses PLUGIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.understudy.container")
          .that(DescribedPredicate.describe("that are not left over from an earlier build", ServletAndCxfTest::hasItsSource));

  private static boolean hasItsSource(JavaClass type) {
    String outermost = type.getName().replaceFirst("\\$.*", "");
    return Files.exists(Path.of("src/main/java", outermost.replace('.', '/') + ".java"));
  }

  @Test
  void onlyAttachmentDeploymentServiceInterceptorsAndInvokerKnowCxf() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "org.understudy.container.attachment", "org.understudy.container.deployment",
            "org.understudy.container.service", "org.understudy.container.interceptor", "org.understudy.container.invoker")
        .should()
        .dependOnClassesThat(resideInAPackage("org.apache.cxf.."))
        .check(PLUGIN);
  }

  @Test
  void interceptorsAndInvokerKnowNoServletsButToSuspendARequest() {
    noClasses()
        .that()
        .resideInAnyPackage("org.understudy.container.interceptor", "org.understudy.container.invoker")
        .and()
        .haveSimpleNameNotStartingWith("ServiceInvocation")
        .should()
        .dependOnClassesThat(resideInAPackage("jakarta.servlet.."))
        .check(PLUGIN);
  }
}
