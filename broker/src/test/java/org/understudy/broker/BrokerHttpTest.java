package org.understudy.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.cxf.tools.common.ToolContext;
import org.apache.cxf.tools.wsdlto.WSDLToJava;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.soap.xml.Elements;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.wsrf.notification.Consumer;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The broker over HTTP: messages, topics and subscribers, quietly and over a lost primary. */
@ForEachStrategy
class BrokerHttpTest extends BrokerClients {
  private static final Pattern CAME_BACK = Pattern.compile("\"messagesThatCameBack\":(\\d+)");

  @ParameterizedTest
  @ValueSource(strings = {"socket", "call"})
  void subscriberReceivesMessagesInOrderAcrossAFailover(String transfer) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 3, Map.of("understudy.transfer", transfer))) {
      assertEquals(200, subscribe(site, "Concrete", "s:stock/high").status());
      List<Integer> expected = new ArrayList<>();
      for (int i = 1; i <= 20; i++) {
        publish(site, i);
        expected.add(i);
      }
      site.stop(site.primary());
      for (int i = 21; i <= 40; i++) {
        publish(site, i);
        expected.add(i);
      }
      Condition.await(() -> prices().size() >= expected.size());
      assertEquals(expected, prices());
    }
  }

  @Test
  void messagesSentToABackupArePublished() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(null, 3, Map.of())) {
      subscribe(site, "Full", "s:stock//.");
      assertEquals(202, Wsrf.post(site, site.backup(), BROKER, notifying(message("s:stock/high", "", 5))).status());
      Condition.await(() -> prices().equals(List.of(5)));
    }
  }

  @Test
  void notifyIsAtomicAndDuplicatesArePublishedOnce() throws Exception {
    Map<String, String> topics = Map.of("understudy.broker.topics", "{urn:stock}stock/high {urn:stock}stock/low");
    try (ServiceCluster site = new ServiceCluster(directory, null, 3, topics)) {
      assertEquals(200, subscribe(site, "Full", "s:stock/*").status());
      String none = notifying(message("s:stock/high", "", 1), message("s:stock/unheard", "", 2));
      assertRefused("{urn:stock}stock/unheard", Wsrf.post(site, site.nextServer(), BROKER, none));
      byte[] both =
          Soap.envelope(Soap.messageId("urn:both"), notifying(message("s:stock/high", "", 3), message("s:stock/low", "", 4)))
              .getBytes(StandardCharsets.UTF_8);
      assertEquals(202, site.post(site.nextServer(), BROKER, both, "text/xml").status());
      site.stop(site.primary());
      assertEquals(202, site.post(site.nextServer(), BROKER, both, "text/xml").status());
      publish(site, 5);
      Condition.await(() -> prices().contains(5));
      assertEquals(List.of(3, 4, 5), prices());
      assertFault("TopicNotSupportedFault", subscribe(site, "Concrete", "s:stock/unheard"));
    }
  }

  @Test
  void producerReferenceIsForwarded() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(null, 1, Map.of())) {
      subscribe(site, "Simple", "s:news");
      String from = "<w:ProducerReference><a:Address xmlns:a='" + WSA + "'>http://paper.example/desk</a:Address>"
          + "<a:ReferenceParameters xmlns:a='" + WSA + "'><x:Desk xmlns:x='urn:x'>7</x:Desk></a:ReferenceParameters>"
          + "</w:ProducerReference>";
      assertEquals(202, Wsrf.post(site, 1, BROKER, notifying(message("s:news", from, 1), message("s:news", "", 2))).status());
      Condition.await(() -> prices().equals(List.of(1, 2)));
      String first = consumer.heard().get(0);
      assertTrue(first.contains("http://paper.example/desk"), first);
      assertTrue(first.contains(">7</x:Desk>"), first);
      String second = consumer.heard().get(1);
      assertTrue(second.contains("ProducerReference") && second.contains("/app" + BROKER + "<"), second);
    }
  }

  /** A consumer could stumble over it, and lose its subscription for what another has sent. */
  @Test
  void invalidProducerReferenceIsRefusedAndAnEmptyOneForwarded() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(null, 1, Map.of())) {
      subscribe(site, "Simple", "s:news");
      String start = "<w:ProducerReference><a:Address xmlns:a='" + WSA + "'>http://paper.example/";
      String end = "</a:Address></w:ProducerReference>";
      StringBuilder many = new StringBuilder();
      for (int i = 0; i < 300; i++) {
        many.append(" a").append(i).append("='1'");
      }
      for (String from : List.of(
          start + "a".repeat(20_000) + end,
          "<w:ProducerReference><x" + many + "/></w:ProducerReference>")) {
        Answer refused = Wsrf.post(site, 1, BROKER, notifying(message("s:news", from, 1)));
        assertRefused("ProducerReference", refused);
      }
      String nothing = "<w:ProducerReference><x xmlns='urn:x'/></w:ProducerReference>";
      assertEquals(202, Wsrf.post(site, 1, BROKER, notifying(message("s:news", nothing, 2))).status());
      Condition.await(() -> prices().equals(List.of(2)));
    }
  }

  @Test
  void topicAppearsWithItsFirstMessageAndSurvivesAFailover() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 3, Map.of())) {
      String before = operation(site, BROKER, "http://docs.oasis-open.org/wsrf/rp-2", "GetResourcePropertyDocument").text();
      assertTrue(before.contains(">false</wsnt:FixedTopicSet>"), before);
      assertTrue(before.contains("RequiresRegistration xmlns:br=\"" + BR + "\">false<"), before);
      assertFalse(before.contains("urn:stock"), before);
      publish(site, 1);
      publish(site, 2);
      site.stop(site.primary());
      String after = operation(site, BROKER, "http://docs.oasis-open.org/wsrf/rp-2", "GetResourcePropertyDocument").text();
      assertTrue(after.contains("urn:stock") && after.contains("t0:stock/high"), after);
      String current = Wsrf.post(site, site.nextServer(), BROKER, "<w:GetCurrentMessage xmlns:w='" + WSNT
          + "' xmlns:s='urn:stock'><w:Topic Dialect='" + DIALECT + "Concrete'>s:stock/high</w:Topic></w:GetCurrentMessage>").text();
      assertTrue(current.contains(">2</p:price>"), current);
    }
  }

  @Test
  void messageWithoutTopicReachesSubscribersWithoutTopicFilter() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 1, Map.of("understudy.broker.topics", "{urn:stock}stock/high"));
        Consumer all = new Consumer()) {
      assertEquals(200, subscribe(site, "Full", "s:stock//.").status());
      assertEquals(
          200,
          Wsrf.post(
              site, 1, BROKER,
              "<w:Subscribe xmlns:w='" + WSNT + "'><w:ConsumerReference><a:Address xmlns:a='" + WSA + "'>" + all.address()
                  + "</a:Address></w:ConsumerReference></w:Subscribe>")
              .status());
      String none = message("", "", 1).replaceFirst("<w:Topic.*</w:Topic>", "");
      Answer answer = Wsrf.post(site, 1, BROKER, notifying(message("s:stock/high", "", 2), none, message("s:stock/high", "", 3)));
      assertEquals(202, answer.status(), answer.reason());
      Condition.await(() -> prices().equals(List.of(2, 3)) && all.heard().size() == 3);
      String second = all.heard().get(1);
      assertTrue(second.contains(">1</p:price>"), second);
      assertFalse(second.contains("Topic"), second);
    }
  }

  @Test
  void invalidMessagesAreRefused() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(null, 1, Map.of())) {
      for (String bad : List.of(
          notifying(),
          notifying("<w:NotificationMessage><w:Message/></w:NotificationMessage>"),
          notifying(message("none:stock", "", 1)),
          notifying(message("<s:stock/>", "", 1)),
          notifying(message("s:stock/*", "", 1)),
          notifying(message("s:stock/*", "", 1).replace("Concrete", "Full")),
          notifying(message("s:stock/high", "", 1).replace("Concrete", "Simple")),
          notifying(message("s:stock", "", 1).replace("Concrete", "Telepathic")))) {
        Answer answer = Wsrf.post(site, 1, BROKER, bad);
        assertRefused("", answer);
      }
      assertRefused("The registration nobody is unknown", Wsrf.post(site, 1, BROKER + "/nobody", notifying(message("s:stock", "", 1))));
      assertFault("ResourceUnknownFault", operation(site, BROKER + "/nobody", WSNT, "Subscribe"));
    }
  }

  /** What all replicas of a broker have dropped, because it came back. */
  private static int cameBack(ServiceCluster site, int replicas) {
    return IntStream.rangeClosed(1, replicas)
        .map(replica -> {
          Matcher count = CAME_BACK.matcher(site.health(replica, "live").body());
          assertTrue(count.find());
          return Integer.parseInt(count.group(1));
        })
        .sum();
  }

  @Test
  void messageIsForwardedUnchanged() throws Exception {
    String content = "<p:price xmlns:p='urn:price' xmlns:k='urn:kind' p:unit='a &lt; &quot;b&quot;' when='2030'> "
        + "<kind type='k:share'>k:share</kind><![CDATA[ 1 < 2 ]]>\n\tÄ\u20ac &amp; <empty xmlns='urn:other'/> </p:price>";
    String from = "<w:ProducerReference><a:Address xmlns:a='" + WSA + "'>http://paper.example/desk</a:Address>"
        + "</w:ProducerReference>";
    String written = "<w:NotificationMessage><w:Topic Dialect='" + DIALECT + "Full' xmlns:s='urn:stock' xmlns:o='urn:o'>"
        + " s:stock/o:high </w:Topic>" + from + "<w:Message>" + content + "</w:Message></w:NotificationMessage>";
    try (ServiceCluster site = ServiceCluster.shared(null, 3, Map.of())) {
      assertEquals(200, subscribe(site, "Full", "s:stock//.").status());
      assertEquals(202, Wsrf.post(site, site.backup(), BROKER, notifying(written)).status());
      Condition.await(() -> !consumer.heard().isEmpty());
      Element heard = Elements.read(consumer.heard().get(0));
      Element message = Elements.children(one(heard, WSNT, "Message")).get(0);
      assertEquals(said(Elements.read(content)), said(message));
      assertEquals("urn:kind", Elements.children(message).get(0).lookupNamespaceURI("k"));
      Element topic = one(heard, WSNT, "Topic");
      String[] steps = topic.getTextContent().split("[:/]");
      assertEquals(DIALECT + "Concrete", topic.getAttribute("Dialect"));
      assertEquals(
          List.of("urn:stock", "stock", "urn:o", "high"),
          List.of(topic.lookupNamespaceURI(steps[0]), steps[1], topic.lookupNamespaceURI(steps[2]), steps[3]));
      assertEquals(
          "http://paper.example/desk",
          Elements.child(one(heard, WSNT, "ProducerReference"), WSA, "Address").getTextContent());
      assertEquals(1, heard.getElementsByTagNameNS(WSNT, "NotificationMessage").getLength());
    }
  }

  /** All that an element says, prefixes aside. */
  private static String said(Node node) {
    if (!(node instanceof Element element)) {
      return node.getNodeValue();
    }
    Set<String> attributes = new TreeSet<>();
    for (int i = 0; i < element.getAttributes().getLength(); i++) {
      Node attribute = element.getAttributes().item(i);
      if (!"http://www.w3.org/2000/xmlns/".equals(attribute.getNamespaceURI())) {
        attributes.add("{" + attribute.getNamespaceURI() + "}" + attribute.getLocalName() + "=" + attribute.getNodeValue());
      }
    }
    StringBuilder text = new StringBuilder("<" + Elements.name(element) + attributes + ">");
    for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
      text.append(said(child));
    }
    return text.append("</>").toString();
  }

  @Test
  void brokerRefusesItselfAsConsumerAndPublisher() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(null, 3, Map.of())) {
      String registration = path(register(site, ""), "NotificationBroker");
      for (String own : List.of(
          site.uri(1, BROKER).toString(),
          site.uri(2, BROKER).toString(),
          site.uri(3, registration).toString(),
          site.uri(1, BROKER + "/").toString().replace("127.0.0.1", "LocalHost"),
          site.uri(1, "//services/./Notification%42roker;a=b?c").toString())) {
        assertFault("SubscribeCreationFailedFault", subscribe(site, own, "Full", "s:stock/*", ""));
        assertFault("PublisherRegistrationFailedFault", register(site, reference(own)));
      }
      assertEquals(200, subscribe(site, site.uri(1, BROKER + "s").toString(), "Full", "s:stock/*", "").status());
      assertEquals(200, register(site, reference(site.uri(1, "/desk").toString())).status());
    }
  }

  @Test
  void messagesDoNotLoopAmongBrokers() throws Exception {
    Path other = java.nio.file.Files.createDirectory(directory.resolve("other"));
    try (ServiceCluster one = new ServiceCluster(directory, null, 3, Map.of());
        ServiceCluster two = new ServiceCluster(other, null, 1, Map.of())) {
      assertEquals(200, subscribe(one, "Concrete", "s:stock/high").status());
      assertEquals(200, subscribe(one, two.uri(1, BROKER).toString(), "Concrete", "s:stock/high", "").status());
      // Back to another replica than the one that sends.
      assertEquals(200, subscribe(two, one.uri(one.backup(), BROKER).toString(), "Concrete", "s:stock/high", "").status());
      String from = "<w:ProducerReference><a:Address xmlns:a='" + WSA + "'>http://paper.example/desk</a:Address>"
          + "</w:ProducerReference>";
      assertEquals(
          202,
          Wsrf.post(
              one, one.primary(), BROKER, notifying(message("s:stock/high", "", 1), message("s:stock/high", from, 2)))
              .status());
      Condition.await("both to come back", () -> cameBack(one, 3) == 2);
      assertEquals(0, cameBack(two, 1));
      assertEquals(202, Wsrf.post(two, 1, BROKER, notifying(message("s:stock/high", from, 3))).status());
      Condition.await("the third to come back", () -> cameBack(two, 1) == 1);
      Condition.await(() -> prices().contains(3));
      assertEquals(List.of(1, 2, 3), prices());
      assertTrue(consumer.heard().stream().allMatch(message -> message.contains("ProducerReference")));
      assertEquals(2, cameBack(one, 3));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NotificationBroker", "PublisherRegistrationManager"})
  void aClientIsGeneratedFromTheContract(String name) throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(null, 1, Map.of());
        var in = site.uri(1, "/services/" + name + "?wsdl").toURL().openStream()) {
      String wsdl = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<String> told = name.equals("NotificationBroker")
          ? List.of("Notify", "Subscribe", "GetCurrentMessage", "RegisterPublisher", "GetResourceProperty")
          : List.of("DestroyRegistration", "SetTerminationTime", "GetResourceProperty");
      for (String operation : told) {
        assertTrue(wsdl.contains("operation name=\"" + operation + "\""), operation + " in " + wsdl);
      }
      if (name.equals("PublisherRegistrationManager")) {
        assertTrue(wsdl.contains("fault name=\"ResourceNotDestroyedFault\""), wsdl);
      }
      assertTrue(wsdl.contains("http://schemas.xmlsoap.org/wsdl/soap12/"), wsdl);
      Path to = directory.resolve("generated");
      new WSDLToJava(new String[] {"-d", to.toString(), site.uri(1, "/services/" + name + "?wsdl").toString()})
          .run(new ToolContext());
      assertTrue(to.toFile().isDirectory());
    }
  }

  @Test
  void invalidConfiguredTopicPreventsTheStart() {
    assertThrows(
        IllegalStateException.class,
        () -> new ServiceCluster(directory, null, 1, Map.of("understudy.broker.topics", "{urn:stock}stock//high")).close());
  }

  private static Answer current(ServiceCluster site) {
    return Wsrf.post(site, site.nextServer(), BROKER, "<w:GetCurrentMessage xmlns:w='" + WSNT
        + "' xmlns:s='urn:stock'><w:Topic Dialect='" + DIALECT + "Concrete'>s:stock/high</w:Topic></w:GetCurrentMessage>");
  }

  @Test
  void unusedTopicExpiresAndCanReappear() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 1, Map.of("understudy.broker.topic.lifetime.s", "1"))) {
      publish(site, 7);
      assertTrue(current(site).text().contains(">7<"));
      Condition.await(() -> current(site).text().contains("NoCurrentMessageOnTopicFault")
          || current(site).text().contains("TopicNotSupportedFault"));
      assertFalse(topicSet(site).contains("stock"), "the topic has ended");
      publish(site, 8);
      assertTrue(current(site).text().contains(">8<"));
      assertTrue(topicSet(site).contains("stock"));
    }
  }

  private static String topicSet(ServiceCluster site) {
    return Wsrf.post(site, site.nextServer(), BROKER, "<rp:GetResourceProperty xmlns:rp='http://docs.oasis-open.org/wsrf/rp-2'"
        + " xmlns:t='http://docs.oasis-open.org/wsn/t-1'>t:TopicSet</rp:GetResourceProperty>").text();
  }
}
