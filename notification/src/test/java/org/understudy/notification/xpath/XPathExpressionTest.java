package org.understudy.notification.xpath;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.notification.expression.Expression;

class XPathExpressionTest {
  private static final String DOCUMENT =
      "<!-- c --><p:r xmlns:p='urn:p' xmlns='urn:d' a='1' p:a='2'><x n='1'>one</x><?pi data?><x n='2'>two<y/></x>"
          + "<z xml:lang='en-GB'>3</z>tail<x n='3'>3</x></p:r>";

  private static XPathExpression parse(String text) throws XPathException {
    return XPathExpression.parse(
        new Expression(XPathExpression.DIALECT, text, Map.of("q", "urn:p", "d", "urn:d")));
  }

  private static XPathResult evaluate(String text) throws XPathException, XMLStreamException {
    return parse(text).evaluate(XmlTree.parse(DOCUMENT.getBytes(UTF_8), 1_000).root(), 100_000);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '~', value = {
    "/q:r/d:x[2]/@n ~ 2",
    "//d:x[. = 'one']/@n ~ 1",
    "/*/@q:a ~ 2",
    "/*/@a ~ 1",
    "name(/*) ~ p:r",
    "local-name(/*/*[last()]) ~ x",
    "namespace-uri(/*/d:z) ~ urn:d",
    "count(//node()) ~ 13",
    "count(//d:x | //d:z | //d:x) ~ 4",
    "count(/*/namespace::*) ~ 3",
    "count(/*/namespace::p | /*/namespace::p) ~ 1",
    "count(//d:x/following-sibling::d:x[1]) ~ 2",
    "count(//d:y/ancestor::*) ~ 2",
    "//d:y/preceding::d:x/@n ~ 1",
    "//d:z/preceding-sibling::d:x[1]/@n ~ 2",
    "(//d:z/preceding-sibling::d:x)[1]/@n ~ 1",
    "//d:x[1.5] ~ ''",
    "sum(//d:x/@n) ~ 6",
    "//d:z > 2 and //d:z < 4 ~ true",
    "//d:x = //d:z ~ true",
    "//d:x/@n != 1 ~ true",
    "not(//d:none) ~ true",
    "boolean(//d:z[lang('en')]) ~ true",
    "concat('a', 1 div 0, -5 mod 2) ~ aInfinity-1",
    "translate('bar', 'abc', 'AB') ~ BAr",
    "normalize-space('  a   b ') ~ a b",
    "substring('12345', 1.5, 2.6) ~ 234",
    "string-length(/) ~ 12",
    "/processing-instruction('pi') ~ ''",
    "//processing-instruction('pi') ~ data",
    "/comment() ~ ' c '",
    "-(3) + 10 div 4 * 2 ~ 2",
    "id('x') ~ ''",
    "round(2.5) = 3 ~ true"
  })
  void supportsTheCoreLanguage(String expression, String value) throws Exception {
    assertEquals(value, evaluate(expression).asString());
  }

  @Test
  void nodesAreReturnedOnceInDocumentOrder() throws Exception {
    XPathResult.NodeSet found = (XPathResult.NodeSet) evaluate("//d:x[@n=3] | //@n | //d:x | //d:y/ancestor-or-self::*");
    assertEquals("r x n x n y x n", found.nodes().stream().map(XmlNode::name).collect(Collectors.joining(" ")));
  }

  @Test
  void resultTypesAreDistinguished() throws Exception {
    assertEquals(new XPathResult.Truth(true), evaluate("true()"));
    assertEquals(new XPathResult.Text("t"), evaluate("'t'"));
    assertEquals(new XPathResult.Numeric(1.5, "1.5"), evaluate("1.5"));
    assertFalse(evaluate("0").asBoolean());
    assertFalse(evaluate("''").asBoolean());
    assertFalse(evaluate("//d:none").asBoolean());
    assertTrue(evaluate("'false'").asBoolean());
  }

  @Test
  void writtenElementIsSelfContained() throws Exception {
    XPathResult.NodeSet found = (XPathResult.NodeSet) evaluate("//d:x[2]");
    StringWriter text = new StringWriter();
    XMLStreamWriter out = new WstxOutputFactory().createXMLStreamWriter(text);
    found.nodes().get(0).writeTo(out);
    out.close();
    assertEquals("<x xmlns:p=\"urn:p\" xmlns=\"urn:d\" n=\"2\">two<y/></x>", text.toString());
    assertEquals("two", XmlTree.parse(text.toString().getBytes(UTF_8), 10).root().text());
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "", " ", "//", "a[", "a]", "'", "$v", "x:a", "document('file:///etc/passwd')", "q:f()", "nothing()", "count()",
    "not()", "contains('a')", "concat('a')", "count(1, 2)", "a b", "1 = = 2", "@@a", "wrong::a", "a/", "system-property('x')"})
  void invalidExpressionsAreRefused(String text) {
    assertThrows(XPathException.class, () -> parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"count('a')", "'a'/b", "(1)[1]", "1 | 2", "//d:x | 'a'", "sum(true())"})
  void failedEvaluationIsReported(String text) {
    XPathException e = assertThrows(XPathException.class, () -> evaluate(text));
    assertFalse(e.overBudget());
  }

  @Test
  void nestingAndLengthAreBounded() {
    for (String text : List.of("(".repeat(40) + "1" + ")".repeat(40), "a" + "[a".repeat(40) + "]".repeat(40),
        "-".repeat(600) + "1", "1" + " or 1".repeat(600), "a" + "|a".repeat(600), "not(".repeat(33) + "1" + ")".repeat(33))) {
      XPathException e = assertThrows(XPathException.class, () -> parse(text), text);
      assertTrue(e.getMessage().matches(".*(nested|operators).*"), e.getMessage());
    }
  }

  @Test
  void longestExpressionsDoNotOverflowTheStack() throws Exception {
    XmlTree tree = XmlTree.parse("<a><a/></a>".getBytes(UTF_8), 10);
    for (String text : List.of("-".repeat(499) + "1", "0" + " or 0".repeat(498), "a" + "|a".repeat(498),
        "(".repeat(32) + "1" + ")".repeat(32), "1" + "+1".repeat(498), "a" + "/..//a".repeat(160),
        "not(".repeat(31) + "1" + ")".repeat(31))) {
      parse(text).evaluate(tree.root(), 10_000_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "//*[count(preceding-sibling::*[following-sibling::*[preceding-sibling::*]]) > 0]",
    "//*[//*[//*[//*]]]",
    "//*[count(//*) > count(//*[preceding::*[following::*]])]",
    "string-length(concat(string(//*), string(//*//*), //*[string-length(//*[string-length(.) > 0]) > 0])) = 1",
    "//*[. = //*]",
    "//*[contains(/, /*)][contains(/, substring(/, 2))][contains(/, substring(/, 3))]",
    "translate(/, /, /) = translate(translate(/, /, /), translate(/, /, /), /)",
    "//*[1=1][1=1][1=1][1=1][1=1][1=1][1=1][1=1][1=1][1=1][1=1][1=1][1=1][1=1][1=1][1=1][1=1][1=1]/following::*"
  })
  void expensiveEvaluationIsAborted(String text) throws Exception {
    String big = "<r>" + ("<x>" + "a".repeat(500) + "</x>").repeat(2_000) + "</r>";
    XmlTree tree = XmlTree.parse(big.getBytes(UTF_8), 10_000);
    XPathException e = assertThrows(XPathException.class, () -> parse(text).evaluate(tree.root(), 200_000));
    assertTrue(e.overBudget(), e.getMessage());
  }

  @Test
  void largeDocumentsCanBeQueriedInFewSteps() throws Exception {
    String big = "<r>" + "<x/>".repeat(20_000) + "</r>";
    XmlTree tree = XmlTree.parse(big.getBytes(UTF_8), 30_000);
    XPathResult found = parse("//x").evaluate(tree.root(), 100_000);
    assertEquals(20_000, ((XPathResult.NodeSet) found).nodes().size());
  }

  @Test
  void documentsAreBounded() {
    assertThrows(XMLStreamException.class, () -> XmlTree.parse(("<a>" + "<b/>".repeat(10) + "</a>").getBytes(UTF_8), 10));
    assertThrows(XMLStreamException.class, () -> XmlTree.parse("<!DOCTYPE a><a/>".getBytes(UTF_8), 10));
    assertThrows(XMLStreamException.class, () -> XmlTree.parse(
        ("<a>".repeat(101) + "</a>".repeat(101)).getBytes(UTF_8), 1_000));
    assertThrows(XMLStreamException.class, () -> XmlTree.parse("<a a='1' b='1'/>".getBytes(UTF_8), 2));
  }
}
