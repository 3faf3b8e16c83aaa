package org.understudy.notification.operation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.subscription.References;
import org.understudy.notification.xpath.XPathExpression;
import org.understudy.notification.xpath.XmlTree;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.RequestReader;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;

class PullPointOperationsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private final MemoryPullPoints store = new MemoryPullPoints();
  private PullPointOperations operations = operations(NOW, PullPointRules.ofDefaults());
  private String id;

  private PullPointOperations operations(Instant now, PullPointRules rules) {
    References references = new References() {
      @Override
      public EndpointReference producer(String key) {
        throw new UnsupportedOperationException();
      }

      @Override
      public EndpointReference subscription(String subscription) {
        throw new UnsupportedOperationException();
      }

      @Override
      public EndpointReference pullPoint(String pullPoint) {
        return new EndpointReference(
            URI.create("http://h/pullpoints/" + pullPoint), List.of("<p:Id xmlns:p=\"urn:p\">" + pullPoint + "</p:Id>"));
      }
    };
    return new PullPointOperations(rules, references, store, Clock.fixed(now, ZoneOffset.UTC));
  }

  private static RequestReader request(String header, String body) throws Exception {
    byte[] bytes = ("<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/' xmlns:q='urn:stocks'"
        + " xmlns:a='http://www.w3.org/2005/08/addressing' xmlns:b='" + WSNT + "'><s:Header>" + header
        + "</s:Header><s:Body>" + body + "</s:Body></s:Envelope>").getBytes(UTF_8);
    RequestReader envelope = RequestReader.withScope(
        new HardenedXmlReader(XmlLimits.ofMessages(1 << 20)).open(bytes, 0, bytes.length, "UTF-8"), SoapVersion.SOAP11, Set.of());
    envelope.readCheckedToOperation();
    return envelope;
  }

  private static String value(byte[] xml, String expression) throws Exception {
    return XPathExpression.parse(new Expression(
            XPathExpression.DIALECT, expression,
            Map.of("b", WSNT, "a", "http://www.w3.org/2005/08/addressing", "q", "urn:stocks")))
        .evaluate(XmlTree.parse(xml, 100_000).root(), 1_000_000).asString();
  }

  private static String message(String content) {
    return "<b:NotificationMessage><b:Topic Dialect='d'>q:price</b:Topic><b:Message>" + content
        + "</b:Message></b:NotificationMessage>";
  }

  private void send(String header, String... contents) throws Exception {
    StringBuilder messages = new StringBuilder();
    for (String content : contents) {
      messages.append(message(content));
    }
    operations.notify(id, request(header, "<b:Notify>" + messages + "</b:Notify>"));
  }

  private byte[] fetch(String most) throws Exception {
    return operations.getMessages(id, request("", "<b:GetMessages>" + most + "</b:GetMessages>"));
  }

  @BeforeEach
  void create() throws Exception {
    byte[] created = operations.create(request("", "<b:CreatePullPoint/>"));
    String address = value(created, "/b:CreatePullPointResponse/b:PullPoint/a:Address");
    id = value(created, "/b:CreatePullPointResponse/b:PullPoint/a:ReferenceParameters/*");
    assertEquals("http://h/pullpoints/" + id, address);
  }

  @Test
  void messagesAreFetchedInOrderAndOnce() throws Exception {
    send("", "<q:n>1</q:n>", "<q:n>2</q:n>");
    send("", "<q:n>3</q:n>");
    byte[] first = fetch("<b:MaximumNumber>2</b:MaximumNumber>");
    assertEquals("2", value(first, "count(/b:GetMessagesResponse/b:NotificationMessage)"));
    assertEquals("1", value(first, "//q:n[1]"));
    assertEquals("q:price", value(first, "//b:Topic[namespace::q = 'urn:stocks']"));
    byte[] second = fetch("");
    assertEquals("3", value(second, "string(//q:n[last()])"));
    assertEquals("0", value(fetch(""), "count(//q:n)"));
  }

  @Test
  void fetchingZeroMessagesChangesNothing() throws Exception {
    send("", "<q:n>1</q:n>");
    assertEquals("0", value(fetch("<b:MaximumNumber>0</b:MaximumNumber>"), "count(//q:n)"));
    assertEquals("1", value(fetch("<b:MaximumNumber> +99999999999999999999 </b:MaximumNumber>"), "count(//q:n)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "x", "1.5", ""})
  void invalidNumberIsRefused(String number) {
    assertThrows(SoapFault.class, () -> fetch("<b:MaximumNumber>" + number + "</b:MaximumNumber>"));
  }

  @Test
  void storeDetectsDuplicates() throws Exception {
    send("<a:MessageID>urn:1</a:MessageID>", "<q:n>1</q:n>");
    send("<a:MessageID>urn:1</a:MessageID>", "<q:n>1</q:n>");
    assertEquals("1", value(fetch(""), "count(//q:n)"));
  }

  @Test
  void answersAreBounded() throws Exception {
    operations = operations(NOW, new PullPointRules(10, 100, 1 << 20, 3, 2_000, Optional.empty()));
    send("", "<q:n/>", "<q:n/>", "<q:n/>", "<q:n/>");
    assertEquals("3", value(fetch(""), "count(//q:n)"));
    assertEquals("1", value(fetch(""), "count(//q:n)"));
    send("", "<q:n>" + "x".repeat(5_000) + "</q:n>", "<q:n/>");
    assertEquals("1", value(fetch(""), "count(//q:n)"));
    assertEquals("1", value(fetch(""), "count(//q:n)"));
  }

  @Test
  void oversizedNotifyIsRefusedAsAWhole() throws Exception {
    operations = operations(NOW, new PullPointRules(10, 3, 10_000, 100, 100_000, Optional.empty()));
    send("", "<q:n>1</q:n>", "<q:n>2</q:n>");
    SoapFault full = assertThrows(SoapFault.class, () -> send("", "<q:n>3</q:n>", "<q:n>4</q:n>"));
    assertEquals(503, full.httpStatus(SoapVersion.SOAP11, 500));
    assertThrows(SoapFault.class, () -> send("", "<q:n>" + "x".repeat(10_000) + "</q:n>"));
    assertThrows(SoapFault.class, () -> send("", "<q:n/>", "<q:n/>", "<q:n/>", "<q:n/>"));
    assertEquals("2", value(fetch(""), "count(//q:n)"));
    send("", "<q:n>3</q:n>", "<q:n>4</q:n>");
    assertEquals("2", value(fetch(""), "count(//q:n)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "<b:Notify/>", "<b:Notify><b:NotificationMessage/></b:Notify>",
    "<b:Notify><b:NotificationMessage><b:Message/></b:NotificationMessage></b:Notify>",
    "<b:Notify><b:NotificationMessage><b:Message>text</b:Message></b:NotificationMessage></b:Notify>",
    "<b:Notify><b:NotificationMessage><b:Message><x/><y/></b:Message></b:NotificationMessage></b:Notify>"
  })
  void otherElementsThanNotifyAreRefused(String body) throws Exception {
    RequestReader request = request("", body);
    try {
      operations.notify(id, request);
      throw new AssertionError("Taken: " + body);
    } catch (SoapFault | XMLStreamException e) {
      assertTrue(store.messages(id) == 0, e.getMessage());
    }
  }

  @Test
  void excessElementsAreNotRead() throws Exception {
    String million = "<x>" + "<y/>".repeat(1_000_000) + "</x>";
    RequestReader request = request("", "<b:Notify>" + message(million) + "</b:Notify>");
    assertThrows(XMLStreamException.class, () -> operations.notify(id, request));
    RequestReader deep =
        request("", "<b:Notify>" + message("<x>".repeat(1_000) + "</x>".repeat(1_000)) + "</b:Notify>");
    assertThrows(XMLStreamException.class, () -> operations.notify(id, deep));
    assertEquals(0, store.messages(id));
  }

  @Test
  void useExtendsTheLifetimeOfAPullPoint() throws Exception {
    PullPointRules rules = new PullPointRules(10, 10, 10_000, 10, 10_000, Optional.of(Duration.ofHours(1)));
    operations = operations(NOW.plusSeconds(80_000), rules);
    fetch("");
    assertEquals(NOW.plusSeconds(83_600), store.find(id).termination().orElseThrow());
    operations = operations(NOW.plusSeconds(83_600), rules);
    assertEquals(NotificationFaultType.RESOURCE_UNKNOWN, assertThrows(NotificationFault.class, () -> fetch("")).type());
  }

  @Test
  void destroyedPullPointIsUnknown() throws Exception {
    byte[] destroyed = operations.destroy(id, request("", "<b:DestroyPullPoint/>"));
    assertEquals("1", value(destroyed, "count(/b:DestroyPullPointResponse)"));
    for (String body : List.of("<b:DestroyPullPoint/>", "<b:GetMessages/>")) {
      RequestReader request = request("", body);
      NotificationFault fault = assertThrows(NotificationFault.class, () -> {
        if (body.contains("Destroy")) {
          operations.destroy(id, request);
        } else {
          operations.getMessages(id, request);
        }
      });
      assertEquals(NotificationFaultType.RESOURCE_UNKNOWN, fault.type());
    }
    assertEquals(
        NotificationFaultType.RESOURCE_UNKNOWN, assertThrows(NotificationFault.class, () -> send("", "<q:n/>")).type());
  }

  @Test
  void pullPointAboveTheLimitIsRefused() throws Exception {
    operations = operations(NOW, new PullPointRules(1, 1, 1, 1, 1, Optional.empty()));
    RequestReader request = request("", "<b:CreatePullPoint/>");
    assertEquals(
        NotificationFaultType.UNABLE_TO_CREATE_PULL_POINT,
        assertThrows(NotificationFault.class, () -> operations.create(request)).type());
  }
}
