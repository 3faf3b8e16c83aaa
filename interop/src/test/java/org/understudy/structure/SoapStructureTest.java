package org.understudy.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The module soap knows SOAP and XML alone, and all XML from outside goes through its hardened reader. */
class SoapStructureTest {
  private static JavaClasses classes;

  @BeforeAll
  static void importAllModules() throws IOException {
    classes =
        CompiledModules.of("soap.xml.HardenedXmlReader", "client.envelope.AnswerReader", "container.soap.EnvelopeReader")
            .that(DescribedPredicate.describe("with a source of their own", SoapStructureTest::hasItsSource));
  }

  /** Neither generated nor left over from an earlier build. */
  private static boolean hasItsSource(JavaClass type) {
    String name = type.getName().replaceFirst("\\$.*", "").replace('.', '/');
    String file = Path.of(type.getSource().orElseThrow().getUri()).toString();
    Path module = Path.of(file.substring(0, file.indexOf("/target/classes/")));
    return Files.exists(module.resolve("src/main/java/" + name + ".java"));
  }

  @Test
  void soapKnowsNoServerNoStackAndNoReplication() {
    classes().that().resideInAPackage("org.understudy.soap..")
        .should().onlyDependOnClassesThat().resideInAnyPackage(
            "org.understudy.soap..", "java..", "javax.xml..", "org.w3c.dom..", "org.codehaus.stax2..", "com.ctc.wstx..")
        .check(classes);
  }

  @Test
  void onlyTheModuleSoapOpensReaders() {
    noClasses().that().resideInAPackage("org.understudy..").and().resideOutsideOfPackage("org.understudy.soap..")
        .should().dependOnClassesThat().haveFullyQualifiedName("javax.xml.stream.XMLInputFactory")
        .orShould().dependOnClassesThat().haveFullyQualifiedName("com.ctc.wstx.stax.WstxInputFactory")
        .orShould().dependOnClassesThat().haveFullyQualifiedName("javax.xml.parsers.SAXParserFactory")
        .because("HardenedXmlReader has the limits, and refuses a DOCTYPE")
        .check(classes);
  }
}
