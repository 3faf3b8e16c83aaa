package org.understudy.notification.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.notification.subscription.EndReason;
import org.understudy.notification.xpath.XPathExpression;
import org.w3c.dom.Node;

@Timeout(120)
class NotificationServletTest {
  private static final byte[] TICK = "<p:tick xmlns:p='urn:stocks'>42</p:tick>".getBytes(UTF_8);

  @TempDir Path directory;
  private Door door;
  private FakeSink sink;

  @BeforeEach
  void open() throws Exception {
    open(UnaryOperator.identity());
    sink = FakeSink.start();
  }

  private void open(UnaryOperator<MemoryProducer.Settings> choices) throws Exception {
    if (door != null) {
      door.close();
    }
    door = new Door(directory, choices);
  }

  @AfterEach
  void close() throws Exception {
    sink.close();
    door.close();
  }

  @Test
  void subscriberReceivesMessagesInOrderOverOneConnection() throws Exception {
    String manager = door.subscribed(sink, "");
    for (int i = 0; i < 50; i++) {
      assertEquals(1, door.producer.publish(door.price, ("<n>" + i + "</n>").getBytes(UTF_8)));
    }
    for (int i = 0; i < 50; i++) {
      String notify = sink.next();
      assertTrue(notify.contains("<wsnt:Message><n>" + i + "</n></wsnt:Message>"), notify);
      assertTrue(notify.contains("<wsa:Address>" + manager + "</wsa:Address>"), notify);
      assertTrue(notify.contains("<wsa:To>" + sink.address() + "</wsa:To>"), notify);
      assertTrue(notify.contains("xmlns:t0=\"urn:stocks\""), notify);
      assertTrue(notify.contains(">t0:stock/price</wsnt:Topic>"), notify);
      validate(notify);
    }
    assertEquals(1, sink.connections());
  }

  @ParameterizedTest
  @CsvSource({"Concrete,q:stock/price,true", "Concrete,q:volume,false", "Simple,q:volume,false", "Full,q:stock//.,true"})
  void topicExpressionSelectsOnlyItsTopic(String dialect, String expression, boolean wanted) throws Exception {
    door.subscribed(sink, Door.topic(dialect, expression));
    assertEquals(wanted ? 1 : 0, door.producer.publish(door.price, TICK));
    assertEquals(wanted ? 0 : 1, door.producer.publish(door.volume, TICK));
    assertTrue(sink.next().contains(wanted ? "t0:stock/price" : "t0:volume"));
  }

  @ParameterizedTest
  @ValueSource(strings = {Door.SOAP11, Door.SOAP12})
  void answersAreValidAndRelateToTheRequestInBothVersions(String soap) throws Exception {
    String type = soap.equals(Door.SOAP11) ? "text/xml" : "application/soap+xml";
    HttpResponse<String> response = door.post(
        door.address, type,
        Door.envelope(soap, "<a:MessageID s:mustUnderstand='1'>urn:uuid:1</a:MessageID>",
            "<b:Subscribe>" + Door.consumer(sink.address()) + Door.until("PT10M") + "</b:Subscribe>"));
    assertEquals(200, response.statusCode(), response.body());
    assertTrue(response.headers().firstValue("Content-Type").orElse("").startsWith(type));
    assertEquals("http://docs.oasis-open.org/wsn/bw-2/NotificationProducer/SubscribeResponse",
        Door.text(response, "Action"));
    assertEquals("urn:uuid:1", Door.text(response, "RelatesTo"));
    assertEquals("2026-01-01T00:10:00Z", Door.text(response, "TerminationTime"));
    assertEquals("2026-01-01T00:00:00Z", Door.text(response, "CurrentTime"));
    assertTrue(Door.text(response, "Address").endsWith("/" + Door.text(response, "SubscriptionId")));
    validate(response.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {Door.SOAP11, Door.SOAP12})
  void messagesUseTheSubscribersSoapVersion(String soap) throws Exception {
    String type = soap.equals(Door.SOAP11) ? "text/xml" : "application/soap+xml";
    for (String policy : List.of("", "<b:SubscriptionPolicy><b:UseRaw/></b:SubscriptionPolicy>")) {
      String subscribe = "<b:Subscribe>" + Door.consumer(sink.address()) + policy + "</b:Subscribe>";
      assertEquals(200, door.post(door.address, type, Door.envelope(soap, "", subscribe)).statusCode());
    }
    assertEquals(2, door.producer.publish(door.price, TICK));
    for (int i = 0; i < 2; i++) {
      assertTrue(sink.nextType().startsWith(type + "; charset=UTF-8"));
      String notify = sink.next();
      assertTrue(notify.startsWith("<soap:Envelope xmlns:soap=\"" + soap + "\""), notify);
      if (notify.contains("<wsnt:Notify>")) {
        validate(notify);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Door.SOAP11, Door.SOAP12})
  void messageWithoutSubscriberIsNotSent(String soap) throws Exception {
    String type = soap.equals(Door.SOAP11) ? "text/xml" : "application/soap+xml";
    String none = "<a:ReplyTo><a:Address>http://www.w3.org/2005/08/addressing/none</a:Address></a:ReplyTo>";
    HttpResponse<String> made =
        door.post(door.address, type, Door.envelope(soap, none, "<b:Subscribe>" + Door.consumer(sink.address()) + "</b:Subscribe>"));
    assertEquals(202, made.statusCode());
    assertEquals("", made.body());
    assertEquals(1, door.producer.subscriptions().size());
    HttpResponse<String> wrong = door.post(door.address, type, Door.envelope(soap, none, "<b:Unsubscribe/>"));
    assertEquals(soap.equals(Door.SOAP11) ? 500 : 400, wrong.statusCode());
    assertEquals("", wrong.body());
  }

  @Test
  void headerForAnotherNodeNeedNotBeUnderstood() throws Exception {
    String header = "<x xmlns='urn:x' s:mustUnderstand='1' s:actor='urn:gate'/>";
    String subscribe = "<b:Subscribe>" + Door.consumer(sink.address()) + "</b:Subscribe>";
    assertEquals(200, door.call(door.address, header, subscribe).statusCode());
  }

  @Test
  void renewedSubscriptionOutlivesItsFirstTerm() throws Exception {
    String manager = door.subscribed(sink, Door.until("2026-01-01T00:01:00"));
    HttpResponse<String> renewed =
        door.call(manager, "", "<b:Renew><b:TerminationTime>PT1H</b:TerminationTime></b:Renew>");
    assertEquals("2026-01-01T01:00:00Z", Door.text(renewed, "TerminationTime"), renewed.body());
    validate(renewed.body());
    door.clock.advance(Duration.ofMinutes(59));
    assertEquals(1, door.producer.publish(door.price, TICK));
    sink.next();
    door.clock.advance(Duration.ofMinutes(1));
    assertEquals(0, door.producer.publish(door.price, TICK));
    assertEquals(EndReason.EXPIRED, door.nextEnd());
    assertFault("ResourceUnknownFault",
        door.call(manager, "", "<b:Renew><b:TerminationTime>PT1H</b:TerminationTime></b:Renew>"));
  }

  @Test
  void unsubscribeWorksByAddressAndByReferenceParameterAndOnlyOnce() throws Exception {
    String first = door.subscribed(sink, "");
    String second = door.subscribed(sink, "");
    HttpResponse<String> response = door.call(first, "", "<b:Unsubscribe/>");
    assertEquals(200, response.statusCode(), response.body());
    validate(response.body());
    String id = second.substring(second.lastIndexOf('/') + 1);
    String parameter = "<u:SubscriptionId xmlns:u='urn:understudy:notification:1' a:IsReferenceParameter='true'>" + id
        + "</u:SubscriptionId>";
    assertFault("ResourceUnknownFault", door.call(first, parameter, "<b:Unsubscribe/>"));
    assertEquals(200, door.call(door.address, parameter, "<b:Unsubscribe/>").statusCode());
    assertFault("ResourceUnknownFault", door.call(door.address, parameter, "<b:Unsubscribe/>"));
    assertFault("ResourceUnknownFault", door.call(door.address, "", "<b:Unsubscribe/>"));
    assertEquals(0, door.producer.publish(door.price, TICK));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2001-01-01T00:00:00Z", "soon", ""})
  void theMinimumTimeOfAFaultIsGranted(String time) throws Exception {
    String manager = door.subscribed(sink, "");
    HttpResponse<String> refused =
        door.call(manager, "", "<b:Renew>" + (time.isEmpty() ? "" : "<b:TerminationTime>" + time + "</b:TerminationTime>") + "</b:Renew>");
    assertFault("UnacceptableTerminationTimeFault", refused);
    door.clock.advance(Duration.ofSeconds(30));
    String minimum = Door.text(refused, "MinimumTime");
    HttpResponse<String> renewed =
        door.call(manager, "", "<b:Renew><b:TerminationTime>" + minimum + "</b:TerminationTime></b:Renew>");
    assertEquals(minimum, Door.text(renewed, "TerminationTime"), renewed.body());
  }

  @Test
  void missingDetailGivesTheDeclaredFault() throws Exception {
    assertFault("SubscribeCreationFailedFault", door.subscribe(""));
    assertFault("SubscribeCreationFailedFault", door.subscribe("<b:ConsumerReference/>"));
    assertFault("InvalidTopicExpressionFault", door.call(door.address, "", "<b:GetCurrentMessage/>"));
  }

  @Test
  void nilMeansNeverUnlessLifetimesAreLimited() throws Exception {
    String nil = "<b:InitialTerminationTime xsi:nil='true'/>";
    HttpResponse<String> response = door.subscribe(Door.consumer(sink.address()) + nil);
    assertEquals("", Door.text(response, "TerminationTime"));
    validate(response.body());
    open(choices -> choices.maximumLifetime(Duration.ofHours(2)));
    HttpResponse<String> refused = door.subscribe(Door.consumer(sink.address()) + nil);
    assertFault("UnacceptableInitialTerminationTimeFault", refused);
    assertEquals("2026-01-01T02:00:00Z", Door.text(refused, "MaximumTime"));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "-PT1S", "PT0S", "tomorrow", "P", "P999999999Y", "2026-06-01T12:00Z",
      "2026-06-01T12Z", "2026-06-01", "2026-06-01T12:00:00+15:00", "+2026-06-01T12:00:00Z", "02026-06-01T12:00:00Z", "2026-06-01T24:00:01Z",
      "2026-06-01T12:00:60Z", "2026-02-30T12:00:00Z", "2026-06-01T12:00:00.Z", "<x/>"})
  void impossibleTermsAreRefused(String time) throws Exception {
    HttpResponse<String> response = door.subscribe(Door.consumer(sink.address()) + Door.until(time));
    assertFault("UnacceptableInitialTerminationTimeFault", response);
    String manager = door.subscribed(sink, "");
    assertFault("UnacceptableTerminationTimeFault", door.call(
        manager, "", "<b:Renew><b:TerminationTime>" + time + "</b:TerminationTime></b:Renew>"));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-01T00:10:00.123456789Z,2026-01-01T00:10:00.124Z",
    "2026-01-01T00:10:00.0000000000001Z,2026-01-01T00:10:00.001Z",
    "2026-01-01T00:59:59.9999Z,2026-01-01T01:00:00Z",
    "2026-01-01T00:10:00.123000000000Z,2026-01-01T00:10:00.123Z",
    "PT600.0001S,2026-01-01T00:10:00.001Z"
  })
  void aTermIsNeverShorterThanRequested(String requested, String granted) throws Exception {
    HttpResponse<String> response = door.subscribe(Door.consumer(sink.address()) + Door.until(requested));
    assertEquals(granted, Door.text(response, "TerminationTime"));
  }

  @Test
  void whatTheSchemaForbidsIsRefused() throws Exception {
    String consumer = Door.consumer(sink.address());
    String nil = "<b:InitialTerminationTime xsi:nil='true'>";
    for (String content : new String[] {"PT5S", " ", "<x/>"}) {
      assertFault(
          "UnacceptableInitialTerminationTimeFault", door.subscribe(consumer + nil + content + "</b:InitialTerminationTime>"));
    }
    for (String twice : new String[] {
        consumer, Door.until("PT5S") + Door.until("PT6S"), "<b:SubscriptionPolicy/><b:SubscriptionPolicy/>"}) {
      assertFault("SubscribeCreationFailedFault", door.subscribe(consumer + twice));
    }
    String manager = door.subscribed(sink, "");
    String time = "<b:TerminationTime>PT5S</b:TerminationTime>";
    for (String wrong : new String[] {time + time, time.replace(">PT", " xsi:nil='1'>PT")}) {
      assertFault("UnacceptableTerminationTimeFault", door.call(manager, "", "<b:Renew>" + wrong + "</b:Renew>"));
    }
    assertEquals(1, door.producer.subscriptions().size());
  }

  @ParameterizedTest
  @CsvSource({
    "Concrete,q:nothing,TopicNotSupportedFault",
    "Concrete,q:stock,TopicNotSupportedFault",
    "Concrete,undeclared:volume,InvalidTopicExpressionFault",
    "Concrete,q:stock//price,InvalidTopicExpressionFault",
    "Concrete,q:*,InvalidTopicExpressionFault",
    "Simple,q:stock/price,InvalidTopicExpressionFault",
    "Full,q:stock/nothing//*,TopicNotSupportedFault",
    "Full,q:stock<x/>,InvalidTopicExpressionFault",
    "Concrete,<q:stock/>,InvalidTopicExpressionFault",
    "Full,q:stock///price,InvalidTopicExpressionFault",
    "Nonsense,q:volume,TopicExpressionDialectUnknownFault",
    "Nonsense,<q:stock/>,TopicExpressionDialectUnknownFault"
  })
  void invalidTopicExpressionsGetTheirFault(String dialect, String expression, String fault) throws Exception {
    assertFault(fault, door.subscribe(Door.consumer(sink.address()) + Door.topic(dialect, expression)));
  }

  /** The schema wants a Dialect; CXF's client, for one, sends none. */
  @Test
  void expressionWithoutDialectIsAPath() throws Exception {
    String consumer = Door.consumer(sink.address());
    String subscribed = "<b:Filter><b:TopicExpression>%s</b:TopicExpression></b:Filter>";
    assertEquals(200, door.subscribe(consumer + String.format(subscribed, "q:volume")).statusCode());
    assertEquals(200, door.subscribe(consumer + String.format(subscribed, "q:*")).statusCode(), "Full has wildcards");
    assertEquals(200, door.subscribe(consumer + String.format(subscribed, "q:volume|q:none//*")).statusCode());
    assertFault("InvalidTopicExpressionFault", door.subscribe(consumer + String.format(subscribed, "q:volume+")));
    assertFault("TopicExpressionDialectUnknownFault", door.subscribe(
        consumer + "<b:Filter><b:TopicExpression Dialect=''>q:volume</b:TopicExpression></b:Filter>"));
    assertFault("InvalidMessageContentExpressionFault", door.subscribe(
        consumer + "<b:Filter><b:MessageContent>true()</b:MessageContent></b:Filter>"));
  }

  @Test
  void unknownFiltersAndPoliciesAreNamed() throws Exception {
    HttpResponse<String> filter =
        door.subscribe(Door.consumer(sink.address()) + "<b:Filter><q:Smell>rose</q:Smell></b:Filter>");
    assertFault("InvalidFilterFault", filter);
    assertEquals("n:Smell", Door.text(filter, "UnknownFilter"));
    HttpResponse<String> language = door.subscribe(Door.consumer(sink.address())
        + "<b:Filter><b:MessageContent Dialect='urn:other'>true()</b:MessageContent></b:Filter>");
    assertFault("InvalidMessageContentExpressionFault", language);
    HttpResponse<String> policy = door.subscribe(
        Door.consumer(sink.address()) + "<b:SubscriptionPolicy><x xmlns='urn:x'/></b:SubscriptionPolicy>");
    assertFault("UnrecognizedPolicyRequestFault", policy);
    assertEquals("n:x", Door.text(policy, "UnrecognizedPolicy"));
    assertFault("InvalidFilterFault", door.subscribe(Door.consumer(sink.address()) + "<b:Filter>"
        + ("<b:MessageContent Dialect='" + XPathExpression.DIALECT + "'>true()</b:MessageContent>").repeat(9)
        + "</b:Filter>"));
    assertTrue(door.producer.subscriptions().isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "MessageContent,//p:tick[,InvalidMessageContentExpressionFault",
    "MessageContent,document('file:///etc/passwd'),InvalidMessageContentExpressionFault",
    "MessageContent,undeclared:tick,InvalidMessageContentExpressionFault",
    "ProducerProperties,$x,InvalidProducerPropertiesExpressionFault"
  })
  void invalidQueriesGetTheirFault(String filter, String expression, String fault) throws Exception {
    assertFault(fault, door.subscribe(Door.consumer(sink.address()) + query(filter, expression)));
  }

  private static String query(String filter, String expression) {
    return "<b:Filter><b:" + filter + " Dialect='" + XPathExpression.DIALECT + "' xmlns:p='urn:stocks'>"
        + expression.replace("<", "&lt;") + "</b:" + filter + "></b:Filter>";
  }

  @Test
  void messagesAreFilteredByContent() throws Exception {
    door.subscribed(sink, query("MessageContent", "number(/p:tick) > 41"));
    for (int i : new int[] {40, 41, 42, 10, 43}) {
      door.producer.publish(door.price, ("<p:tick xmlns:p='urn:stocks'>" + i + "</p:tick>").getBytes(UTF_8));
    }
    assertTrue(sink.next().contains(">42<"));
    assertTrue(sink.next().contains(">43<"));
    assertTrue(sink.isEmpty());
  }

  @Test
  void messagesAreFilteredByProducerProperties() throws Exception {
    try (FakeSink other = FakeSink.start()) {
      door.subscribed(other, query("ProducerProperties", "//b:FixedTopicSet = 'false'"));
      door.subscribed(sink, query("ProducerProperties", "//b:FixedTopicSet = 'true'"));
      door.producer.publish(door.price, TICK);
      sink.next();
      assertTrue(other.isEmpty());
    }
  }

  @Test
  void expensiveFilterDoesNotDelayOthers() throws Exception {
    try (FakeSink other = FakeSink.start()) {
      door.subscribed(other, query("MessageContent", "//*[//*[//*[//*]]]"));
      door.subscribed(sink, "");
      byte[] big = ("<r>" + "<x/>".repeat(2_000) + "</r>").getBytes(UTF_8);
      door.producer.publish(door.price, big);
      door.producer.publish(door.price, TICK);
      sink.next();
      sink.next();
      // The second is small enough to be judged.
      assertTrue(other.next().contains("42"));
      assertEquals(1, door.producer.counters().unjudged());
      assertEquals(2, door.producer.subscriptions().size());
    }
  }

  @Test
  void rawSubscriptionReceivesTheMessageWithoutNotify() throws Exception {
    door.subscribed(sink, "<b:SubscriptionPolicy><b:UseRaw/></b:SubscriptionPolicy>");
    door.producer.publish(door.price, TICK);
    String envelope = sink.next();
    Node body = Door.document(envelope).getElementsByTagNameNS(Door.SOAP11, "Body").item(0);
    assertEquals("tick", body.getFirstChild().getLocalName());
    assertEquals(1, body.getChildNodes().getLength());
    assertTrue(envelope.contains("<wsa:Action>http://docs.oasis-open.org/wsn/bw-2/NotificationConsumer/Notify</wsa:Action>"), envelope);
  }

  @Test
  void pausedSubscriptionReceivesNothingUntilResumed() throws Exception {
    String manager = door.subscribed(sink, "");
    door.producer.publish(door.price, "<n>1</n>".getBytes(UTF_8));
    assertTrue(sink.next().contains("<n>1</n>"));
    HttpResponse<String> paused = door.call(manager, "", "<b:PauseSubscription/>");
    assertEquals("http://docs.oasis-open.org/wsn/bw-2/PausableSubscriptionManager/PauseSubscriptionResponse",
        Door.text(paused, "Action"), paused.body());
    assertEquals(200, door.call(manager, "", "<b:PauseSubscription/>").statusCode());
    assertEquals(0, door.producer.publish(door.price, "<n>2</n>".getBytes(UTF_8)));
    assertEquals(200, door.call(manager, "", "<b:ResumeSubscription/>").statusCode());
    assertEquals(200, door.call(manager, "", "<b:ResumeSubscription/>").statusCode());
    door.producer.publish(door.price, "<n>3</n>".getBytes(UTF_8));
    assertTrue(sink.next().contains("<n>3</n>"));
    assertFault("ResourceUnknownFault", door.call(manager + "0", "", "<b:PauseSubscription/>"));
    assertFault("ResourceUnknownFault", door.call(manager + "0", "", "<b:ResumeSubscription/>"));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "http://example.org/sink", "https://example.org/sink", "ftp://127.0.0.1/sink", "/sink", "http:///sink",
    "http://user:secret@127.0.0.1/sink", "http://127.0.0.1.example.org/", "not a uri"})
  void consumersOnOtherHostsAreRefused(String address) throws Exception {
    assertFault("SubscribeCreationFailedFault", door.subscribe(Door.consumer(address)));
  }

  @Test
  void subscriptionAboveTheLimitIsRefused() throws Exception {
    open(choices -> choices.maximumSubscriptions(2));
    door.subscribed(sink, "");
    String second = door.subscribed(sink, "");
    assertFault("SubscribeCreationFailedFault", door.subscribe(Door.consumer(sink.address())));
    door.call(second, "", "<b:Unsubscribe/>");
    door.subscribed(sink, "");
  }

  @Test
  void referenceParametersAreSentAsHeaderBlocks() throws Exception {
    HttpResponse<String> response = door.subscribe(
        "<b:ConsumerReference><a:Address>" + sink.address() + "</a:Address><a:ReferenceParameters>"
            + "<q:key type='q:kind'>a &amp; b<inner xmlns='urn:inner' q:n='1'/></q:key></a:ReferenceParameters>"
            + "</b:ConsumerReference>");
    assertEquals(200, response.statusCode(), response.body());
    door.producer.publish(door.price, TICK);
    String notify = sink.next();
    Node key = Door.document(notify).getElementsByTagNameNS(Door.TOPICS, "key").item(0);
    assertEquals("Header", key.getParentNode().getLocalName());
    assertEquals("a & b", key.getTextContent());
    assertEquals(Door.TOPICS, key.lookupNamespaceURI("q"));
    assertEquals("true", key.getAttributes()
        .getNamedItemNS("http://www.w3.org/2005/08/addressing", "IsReferenceParameter").getNodeValue());
    assertFault("SubscribeCreationFailedFault", door.subscribe(
        "<b:ConsumerReference><a:Address>" + sink.address() + "</a:Address><a:ReferenceParameters>"
            + "<a:Action>x</a:Action></a:ReferenceParameters></b:ConsumerReference>"));
  }

  @Test
  void unresponsiveConsumersDoNotDelayOthers() throws Exception {
    int stuckSinks = 3 * Door.quick().threads();
    FakeSink stuck = FakeSink.stuck();
    try (stuck) {
      for (int i = 0; i < stuckSinks; i++) {
        door.subscribed(stuck, "");
      }
      door.subscribed(sink, "");
      for (int i = 0; i < 20; i++) {
        assertEquals(stuckSinks + 1, door.producer.publish(door.price, TICK));
        sink.next();
      }
      for (int i = 0; i < stuckSinks; i++) {
        stuck.next();
      }
      assertTrue(stuck.isEmpty(), "one message at a time");
    }
  }

  @Test
  void unresponsiveConsumerLosesItsSubscription() throws Exception {
    open(choices -> choices.delivery(
        Door.quick().withTimeouts(Duration.ofSeconds(30), Duration.ofMillis(50))));
    try (FakeSink stuck = FakeSink.stuck()) {
      door.subscribed(stuck, "");
      door.producer.publish(door.price, TICK);
      assertEquals(EndReason.UNDELIVERABLE, door.nextEnd());
      String first = stuck.next();
      assertEquals(first, stuck.next(), "another attempt is the same message");
      assertEquals(1, door.producer.counters().undeliverable());
    }
  }

  @Test
  void unreachableConsumerLosesItsSubscription() throws Exception {
    String manager = door.subscribed(sink, "");
    sink.close();
    door.producer.publish(door.price, TICK);
    assertEquals(EndReason.UNDELIVERABLE, door.nextEnd());
    assertEquals(3, door.producer.counters().failedAttempts());
    assertFault("ResourceUnknownFault", door.call(manager, "", "<b:Unsubscribe/>"));
  }

  @Test
  void retryAfterIsHonoured() throws Exception {
    sink.answerWith(503);
    sink.askForPause("3600");
    door.subscribed(sink, "");
    door.producer.publish(door.price, TICK);
    assertEquals(EndReason.UNDELIVERABLE, door.nextEnd());
    assertEquals(2, door.producer.counters().failedAttempts(), "all pauses that there were went into the first");
  }

  @Test
  void goneConsumerIsNotRetried() throws Exception {
    sink.answerWith(410);
    door.subscribed(sink, "");
    door.producer.publish(door.price, TICK);
    assertEquals(EndReason.UNDELIVERABLE, door.nextEnd());
    assertEquals(1, door.producer.counters().failedAttempts());
  }

  @Test
  void fullQueueEndsOnlyItsSubscription() throws Exception {
    open(choices -> choices.delivery(Door.quick().withQueueLength(5)));
    try (FakeSink stuck = FakeSink.stuck()) {
      door.subscribed(stuck, "");
      door.subscribed(sink, "");
      for (int i = 0; i < 6; i++) {
        door.producer.publish(door.price, TICK);
        sink.next();
      }
      assertEquals(EndReason.OVERFLOW, door.nextEnd());
      assertEquals(1, door.producer.counters().overflows());
      assertEquals(1, door.producer.subscriptions().size());
    }
  }

  @Test
  void doctypeIsRefused() throws Exception {
    HttpResponse<String> response = door.post(door.address, "text/xml",
        "<!DOCTYPE x [<!ENTITY e 'boom'>]>"
            + Door.envelope(Door.SOAP11, "", "<b:Subscribe/>").replaceFirst("<\\?.*?\\?>", ""));
    assertEquals(500, response.statusCode());
    assertTrue(Door.text(response, "faultstring").contains("DOCTYPE"), response.body());
  }

  @Test
  void oversizedRequestsAreRefused() throws Exception {
    String padding = "<b:x>" + "y".repeat(70_000) + "</b:x>";
    assertEquals(413, door.call(door.address, "", "<b:Subscribe>" + padding + "</b:Subscribe>").statusCode());
    String deep = "<b:x>".repeat(60) + "</b:x>".repeat(60);
    assertSoapFault("Client", door.call(door.address, "", "<b:Subscribe>" + deep + "</b:Subscribe>"));
    assertSoapFault("Client", door.call(door.address, "", "<b:Subscribe>" + "<b:x/>".repeat(1_100) + "</b:Subscribe>"));
    assertTrue(door.producer.subscriptions().isEmpty());
  }

  @Test
  void unknownRequestsAreRefused() throws Exception {
    assertEquals(415, door.post(door.address, "application/json", "{}").statusCode());
    assertSoapFault("Client", door.post(door.address, "text/xml", ""));
    assertSoapFault("VersionMismatch", door.post(door.address, "text/xml", "<a/>"));
    assertSoapFault("Client", door.call(door.address, "", "<b:CreatePullPoint/>"));
    assertSoapFault("Client", door.call(door.address, "", "<b:Notify/>"));
    assertSoapFault("Client", door.call(door.address, "", "<Subscribe/>"));
    assertSoapFault("Client", door.call(door.address, "", "<b:Subscribe/>"));
    assertSoapFault("MustUnderstand",
        door.call(door.address, "<x xmlns='urn:x' s:mustUnderstand='1'/>", "<b:Unsubscribe/>"));
    assertSoapFault("OnlyAnonymousAddressSupported", door.call(
        door.address, "<a:ReplyTo><a:Address>http://example.org/</a:Address></a:ReplyTo>", "<b:Unsubscribe/>"));
    String cut = Door.envelope(Door.SOAP11, "",
        "<b:Subscribe>" + Door.consumer(sink.address()) + "</b:Subscribe>").replace("</s:Envelope>", "");
    assertSoapFault("Client", door.post(door.address, "text/xml", cut));
    assertTrue(door.producer.subscriptions().isEmpty());
  }

  @Test
  void currentMessageIsTheLastOfItsTopic() throws Exception {
    assertFault("NoCurrentMessageOnTopicFault", currentMessage("Full", "q:volume"));
    door.producer.publish(door.price, "<n>1</n>".getBytes(UTF_8));
    door.producer.publish(door.price, "<n>2</n>".getBytes(UTF_8));
    HttpResponse<String> current = currentMessage("Concrete", "q:stock/price");
    assertEquals("2", Door.text(current, "n"), current.body());
    assertFault("NoCurrentMessageOnTopicFault", currentMessage("Simple", "q:volume"));
    assertFault("TopicNotSupportedFault", currentMessage("Simple", "q:other"));
    assertFault("MultipleTopicsSpecifiedFault", currentMessage("Full", "q:volume|q:stock/price"));
    assertFault("InvalidTopicExpressionFault", currentMessage("Full", "q:"));
    assertFault("TopicExpressionDialectUnknownFault", currentMessage("Other", "q:volume"));
  }

  private HttpResponse<String> currentMessage(String dialect, String topic) throws Exception {
    return door.call(door.address, "", "<b:GetCurrentMessage><b:Topic"
        + " Dialect='http://docs.oasis-open.org/wsn/t-1/TopicExpression/" + dialect + "'>" + topic
        + "</b:Topic></b:GetCurrentMessage>");
  }

  private static void assertFault(String name, HttpResponse<String> response) throws Exception {
    assertEquals(500, response.statusCode(), response.body());
    var detail = Door.document(response.body()).getElementsByTagName("detail").item(0);
    assertNotNull(detail, response.body());
    assertEquals(name, detail.getFirstChild().getLocalName(), response.body());
    assertEquals(
        name.equals("ResourceUnknownFault")
            ? "http://docs.oasis-open.org/wsrf/fault"
            : "http://docs.oasis-open.org/wsn/fault",
        Door.text(response, "Action"));
    assertNotNull(Door.text(response, "Timestamp"));
    assertFalse(Door.text(response, "Description").isEmpty());
    assertNull(Door.text(response, "RelatesTo"));
    schema().newValidator().validate(new DOMSource(detail.getFirstChild()));
  }

  private static void assertSoapFault(String code, HttpResponse<String> response) throws Exception {
    assertEquals(500, response.statusCode(), response.body());
    assertTrue(Door.text(response, "faultcode").endsWith(":" + code), response.body());
  }

  private static void validate(String envelope) throws Exception {
    Node body = Door.document(envelope).getDocumentElement().getLastChild();
    schema().newValidator().validate(new DOMSource(body.getFirstChild()));
  }

  private static Schema schema() throws Exception {
    SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
    return factory.newSchema(new Source[] {source("b-2.xsd"), source("r-2.xsd")});
  }

  private static Source source(String name) {
    URL url = NotificationServletTest.class.getResource("/wsdl/standard/" + name);
    return new StreamSource(url.toString());
  }
}
