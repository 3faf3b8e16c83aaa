package org.understudy.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The module soap knows SOAP and XML alone, and all XML from outside goes through its hardened reader. */
class SoapStructureTest {
  private static JavaClasses classes;

  @BeforeAll
  static void importAllModules() throws IOException {
    classes = CompiledModules.of("soap.xml.HardenedXmlReader", "client.envelope.AnswerReader", "container.soap.EnvelopeReader");
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
