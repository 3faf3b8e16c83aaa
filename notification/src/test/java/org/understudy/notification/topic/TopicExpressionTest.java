package org.understudy.notification.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamWriter;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.notification.expression.Expression;
import org.understudy.soap.xml.Fragment;

class TopicExpressionTest {
  private static final Map<String, String> PREFIXES = Map.of("t", "urn:t", "o", "urn:o");
  private final TopicNamespace namespace = new TopicNamespace("urn:t");
  private final TopicSet topics = TopicSet.of(namespace);

  TopicExpressionTest() {
    for (String path : List.of("a", "a/b", "a/b/c", "a/d", "e", "e/a", "e/a/c")) {
      namespace.add(path);
    }
  }

  private static TopicExpression full(String text) {
    return TopicDialect.FULL.parse(new Expression(TopicDialect.FULL.uri(), text, PREFIXES));
  }

  private static String path(TopicPath topic) {
    return topic.steps().stream().map(QName::getLocalPart).collect(Collectors.joining("/"));
  }

  @ParameterizedTest
  @CsvSource({
    "t:a,a",
    "t:*,a e",
    "t:a/*,a/b a/d",
    "t:a/.,a",
    "t:a//.,a a/b a/b/c a/d",
    "t:a//*,a/b a/b/c a/d",
    "t:*//c,a/b/c e/a/c",
    "t:*/*/*,a/b/c e/a/c",
    "t://a,a e/a",
    "t://*,a a/b a/b/c a/d e e/a e/a/c",
    "t://c,a/b/c e/a/c",
    "t:a//c|t:e,a/b/c e",
    "t:a//b//c,a/b/c",
    "t:*/a//.,e/a e/a/c",
    "t:e/t:a,e/a",
    "t:e/o:a,",
    "' t:a | t:e ',a e",
    "*,",
    "a,"
  })
  void fullDialectFollowsItsSection(String text, String selected) {
    TopicExpression expression = full(text);
    TreeSet<String> found = namespace.topics().stream().filter(expression::selects).map(TopicExpressionTest::path)
        .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(selected == null ? "" : selected, String.join(" ", found));
    assertEquals(!found.isEmpty(), topics.offers(expression));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "|", "t:a|", "t:", "t:a/", "t:a///b", "/a", "t:a b", "x:a", "t:.", "t:a/x:b", "t:a:b", "t:a/b*",
    "t:/a", "t:a/b/../c", ":a", "t:a/t:", "t:1a"})
  void invalidFullExpressionsAreRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> full(text));
  }

  @Test
  void expressionsAreBounded() {
    assertThrows(IllegalArgumentException.class, () -> full("t:" + "a".repeat(2_000)));
    assertThrows(IllegalArgumentException.class, () -> full("t:a" + "/b".repeat(40)));
    assertThrows(IllegalArgumentException.class, () -> full("t:a" + "|t:b".repeat(40)));
    assertThrows(
        IllegalArgumentException.class, () -> new Expression("d", "x".repeat(Expression.MAX_CHARS + 1), Map.of()));
  }

  @Test
  void manyWildcardsOnADeepTopicAreFast() {
    TopicPath deep = TopicPath.of("urn:t", "a" + "/a".repeat(31));
    assertTrue(full("t:a" + "//a".repeat(31)).selects(deep));
    assertFalse(full("t:a" + "//a".repeat(30) + "//b").selects(deep));
  }

  @Test
  void otherNamespacesCanExtendTheTree() {
    TopicPath added = new TopicPath(List.of(new QName("urn:t", "a"), new QName("urn:o", "x"), new QName("c")));
    assertTrue(full("t:a/o:x/c").selects(added));
    assertTrue(full("t:a//c").selects(added));
    assertFalse(full("t:a/x/c").selects(added));
    assertFalse(full("t://x").selects(added));
  }

  @Test
  void concreteExpressionSelectsAtMostOneTopic() {
    assertEquals(Optional.of(TopicPath.of("urn:t", "a/b")), topics.only(full("t:a/b")));
    assertEquals(Optional.empty(), topics.only(full("t:z")));
    assertThrows(IllegalArgumentException.class, () -> topics.only(full("t:a/*")));
  }

  @Test
  void sourceKeepsThePrefixesItUses() {
    TopicExpression expression =
        TopicDialect.FULL.parse("t:a//.", new Expression("d", "", PREFIXES).scope());
    assertEquals(new Expression(TopicDialect.FULL.uri(), "t:a//.", Map.of("t", "urn:t")), expression.source());
  }

  @Test
  void topicSetMarksOnlyTopics() throws Exception {
    TopicNamespace small = new TopicNamespace("urn:s");
    small.add("x/y");
    small.add("z");
    StringWriter text = new StringWriter();
    XMLStreamWriter out = new WstxOutputFactory().createXMLStreamWriter(text);
    TopicSet.of(small).writeTo(out);
    out.close();
    assertEquals("<wstop:TopicSet xmlns:wstop=\"http://docs.oasis-open.org/wsn/t-1\">"
        + "<t0:x xmlns:t0=\"urn:s\"><y wstop:topic=\"true\"/></t0:x>"
        + "<t0:z xmlns:t0=\"urn:s\" wstop:topic=\"true\"/></wstop:TopicSet>", text.toString());
  }

  private static String document(TopicNamespace namespace) throws Exception {
    StringWriter document = new StringWriter();
    XMLStreamWriter out = new WstxOutputFactory().createXMLStreamWriter(document);
    namespace.writeTo(out);
    out.close();
    String text = document.toString();
    SchemaFactory factory = SchemaFactory.newDefaultInstance();
    factory.newSchema(TopicExpressionTest.class.getResource("/wsdl/standard/t-1.xsd"))
        .newValidator().validate(new StreamSource(new StringReader(text)));
    String begin = "<wstop:TopicNamespace xmlns:wstop=\"http://docs.oasis-open.org/wsn/t-1\" xmlns:tns=\"urn:s\""
        + " targetNamespace=\"urn:s\">";
    assertTrue(text.startsWith(begin), text);
    return text.substring(begin.length(), text.length() - "</wstop:TopicNamespace>".length());
  }

  @Test
  void namespaceDocumentListsOnlyTopics() throws Exception {
    TopicNamespace small = new TopicNamespace("urn:s");
    small.add("x/y");
    small.add("x/y/w", new QName("urn:m", "A"), new QName("B"));
    small.add("x/y/v/u");
    small.add("z");
    assertEquals("<wstop:Topic name=\"u\" parent=\"tns:x/y/v\"/>"
        + "<wstop:Topic name=\"y\" parent=\"tns:x\"><wstop:Topic name=\"w\" xmlns:m0=\"urn:m\" messageTypes=\"m0:A B\"/>"
        + "</wstop:Topic><wstop:Topic name=\"z\"/>", document(small));
    small.add("x");
    assertTrue(document(small).contains("<wstop:Topic name=\"x\"><wstop:Topic name=\"y\">"), document(small));
    assertThrows(IllegalStateException.class, () -> document(new TopicNamespace("")));
  }

  @Test
  void adHocTopicIsSelectedByNamesWithoutPrefix() {
    TopicNamespace adHoc = new TopicNamespace("");
    TopicPath free = adHoc.add("free/x");
    TopicSet all = TopicSet.of(adHoc, namespace);
    assertEquals(Optional.of(free), all.only(full("free/x")));
    assertEquals(Optional.empty(), all.only(full("t:free/x")));
    assertTrue(full("free//.").selects(free));
    assertFalse(full("a/b").selects(TopicPath.of("urn:t", "a/b")));
    assertEquals("free/x", free.expression().text());
    assertThrows(IllegalStateException.class, () -> document(adHoc));
  }

  @Test
  void adHocTopicsAreNotInTheTopicSet() {
    TopicNamespace adHoc = new TopicNamespace("");
    adHoc.add("free/x");
    String set = new String(Fragment.of(out -> TopicSet.of(adHoc, namespace).writeTo(out)), StandardCharsets.UTF_8);
    assertFalse(set.contains("free"), set);
    assertTrue(set.contains("urn:t"), set);
  }

  @Test
  void namesInTheNamespaceDocumentAreUniqueAmongSiblings() throws Exception {
    TopicNamespace small = new TopicNamespace("urn:s");
    assertEquals(small.add("x/y"), small.add("x/y"));
    assertEquals(1, small.topics().size());
    assertEquals("<wstop:Topic name=\"y\" parent=\"tns:x\"/>", document(small));
    small.add("z/y");
    assertEquals("<wstop:Topic name=\"x\"><wstop:Topic name=\"y\"/></wstop:Topic>"
        + "<wstop:Topic name=\"z\"><wstop:Topic name=\"y\"/></wstop:Topic>", document(small));
  }

  @Test
  void openSetAcceptsSubscriptionsToFutureTopics() {
    List<TopicPath> sofar = new java.util.concurrent.CopyOnWriteArrayList<>();
    TopicSet open = TopicSet.open(sofar);
    assertFalse(open.fixed());
    assertTrue(open.offers(full("t:later")));
    assertEquals(Optional.empty(), open.only(full("t:later")));
    sofar.add(TopicPath.of("urn:t", "later"));
    assertTrue(open.contains(TopicPath.of("urn:t", "later")));
    assertEquals(Optional.of(TopicPath.of("urn:t", "later")), open.only(full("t:later")));
    assertTrue(topics.fixed());
    assertFalse(topics.offers(full("t:later")));
  }

  private static TopicExpression concrete(String text) {
    return TopicDialect.CONCRETE.parse(new Expression(TopicDialect.CONCRETE.uri(), text, PREFIXES));
  }

  @Test
  void unambiguousLocalNameIsAccepted() {
    TopicNamespace other = new TopicNamespace("urn:o");
    other.add("e");
    other.add("f/g");
    TopicSet strict = TopicSet.of(namespace, other);
    TopicSet lenient = strict.acceptingLocalNames();
    assertEquals(Optional.empty(), strict.resolve(concrete("f/g")));
    assertTrue(lenient.resolve(concrete("f/g")).orElseThrow().selects(TopicPath.of("urn:o", "f/g")));
    assertTrue(lenient.resolve(concrete("a/b")).orElseThrow().selects(TopicPath.of("urn:t", "a/b")));
    assertEquals(Optional.empty(), lenient.resolve(concrete("e")), "two topics have this local name");
    assertEquals(Optional.empty(), lenient.resolve(concrete("g")), "not a root");
    assertEquals(Optional.empty(), lenient.resolve(concrete("t:f")), "another namespace was named");
    TopicExpression named = concrete("t:e");
    assertEquals(Optional.of(named), lenient.resolve(named));
  }
}
