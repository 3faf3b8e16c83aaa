package org.understudy.notification.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.xpath.XmlNode;
import org.understudy.notification.xpath.XmlTree;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;

class NotifyTest {
  private static final TopicPath STATE = TopicPath.of("urn:topics", "state/update");
  private static final TopicPath FOREIGN =
      new TopicPath(List.of(new QName("urn:topics", "state"), new QName("urn:other", "extra")));
  private final NotifyReader reader = new NotifyReader(new HardenedXmlReader(XmlLimits.ofMessages(1_000_000)));
  private static final EndpointReference CONSUMER =
      new EndpointReference(
          URI.create("http://b/sink?x=1&y=2"), List.of("<k:Key xmlns:k='urn:key' k:IsReferenceParameter='wsarp'>7</k:Key>"));
  private static final EndpointReference PRODUCER = EndpointReference.to(URI.create("http://a/producer"));
  private final NotifyTemplate template =
      NotifyTemplate.of(CONSUMER, EndpointReference.to(URI.create("http://a/s/1")), false, SoapVersion.SOAP11.namespace());

  private byte[] envelope(TopicPath topic, String xml) {
    return NotifyTemplate.concatenate(
        template.envelope("urn:uuid:1", NotifyTemplate.prelude(topic, PRODUCER), xml.getBytes(UTF_8)));
  }

  private byte[] twoMessages() {
    String first = new String(envelope(STATE, "<p:update xmlns:p='urn:p'>&lt;é></p:update>"), UTF_8);
    String second = new String(envelope(FOREIGN, "<raw><inner/>text</raw>"), UTF_8);
    String start = "<wsnt:NotificationMessage>";
    String end = "</wsnt:NotificationMessage>";
    return first.replace(end, end + second.substring(second.indexOf(start), second.indexOf(end)) + end).getBytes(UTF_8);
  }

  @Test
  void writtenMessagesAreReadBack() throws XMLStreamException {
    byte[] bytes = twoMessages();
    List<String> seen = new ArrayList<>();
    int messages = reader.read(bytes, 0, bytes.length, null, new NotificationHandler() {
      @Override
      public void header(XMLStreamReader in) throws XMLStreamException {
        seen.add(in.getLocalName() + "=" + in.getElementText());
      }

      @Override
      public void message(TopicPath topic, EndpointReference producer, XMLStreamReader in) throws XMLStreamException {
        seen.add(topic + " " + in.getLocalName() + (topic.equals(STATE) ? " " + in.getElementText() : ""));
      }
    });
    assertEquals(2, messages);
    assertEquals(
        List.of(
            "To=http://b/sink?x=1&y=2",
            "Key=7",
            "Action=http://docs.oasis-open.org/wsn/bw-2/NotificationConsumer/Notify",
            "MessageID=urn:uuid:1",
            "{urn:topics}state/update update <é>",
            "{urn:topics}state/{urn:other}extra raw"),
        seen);
  }

  @Test
  void handlerThatLeavesItsElementIsDetected() throws XMLStreamException {
    byte[] bytes = twoMessages();
    assertThrows(IllegalStateException.class, () -> reader.read(bytes, 0, bytes.length, null, (topic, producer, in) -> {
      while (!in.isEndElement() || !in.getLocalName().equals("NotificationMessage")) {
        in.next();
      }
    }));
  }

  @Test
  void otherElementsThanNotifyAreRefused() throws XMLStreamException {
    String good = new String(twoMessages(), UTF_8);
    List<String> bad = List.of(
        "",
        "<a/>",
        "<!DOCTYPE a>" + good.replaceFirst("<\\?.*?\\?>", ""),
        good.substring(0, good.length() - 3),
        good.replace("wsnt:Notify>", "wsnt:Renew>"),
        good.replace("t0:state/update", "tx:state/update"),
        good.replace("<raw>", "<raw/><raw>"),
        good.replaceAll("<wsnt:NotificationMessage>.*</wsnt:NotificationMessage>", ""),
        good.replaceAll("<wsnt:Message>.*?</wsnt:Message>", ""),
        good.replace("</wsnt:Message>", "</wsnt:Message><wsnt:Message><again/></wsnt:Message>"),
        good.replace("</wsnt:Message>", "</wsnt:Message><wsnt:Topic>t0:late</wsnt:Topic>"),
        good.replace("TopicExpression/Concrete", "TopicExpression/Telepathic"),
        good.replace("TopicExpression/Concrete", "TopicExpression/Simple"),
        good.replace("t0:state/update", "t0:state/*").replace("TopicExpression/Concrete", "TopicExpression/Full"),
        good.replace("<inner/>", "<i>".repeat(200) + "</i>".repeat(200)));
    for (String text : bad) {
      assertNotEquals(good, text, "the same");
      byte[] bytes = text.getBytes(UTF_8);
      assertThrows(
          XMLStreamException.class, () -> reader.read(bytes, 0, bytes.length, "UTF-8", (topic, producer, in) -> {}), text);
    }
  }

  @Test
  void producerReferenceIsPassedWithItsReferenceParameters() throws XMLStreamException {
    String good = new String(envelope(STATE, "<a/>"), UTF_8);
    List<EndpointReference> producers = new ArrayList<>();
    List<TopicPath> topics = new ArrayList<>();
    for (String text : List.of(
        good,
        good.replace("producer</wsa:Address>", "producer</wsa:Address><wsa:ReferenceParameters xmlns:k='urn:key'>"
            + "<k:Key wsa:IsReferenceParameter='true'>7</k:Key></wsa:ReferenceParameters><wsa:Metadata><m/></wsa:Metadata>"),
        good.replaceAll("<wsnt:ProducerReference>.*</wsnt:ProducerReference>", "")
            .replaceAll("<wsnt:Topic [^>]*>.*</wsnt:Topic>",
                "<wsnt:Topic xmlns:s='urn:topics'> s:state </wsnt:Topic>"))) {
      byte[] bytes = text.getBytes(UTF_8);
      reader.read(bytes, 0, bytes.length, null, (topic, producer, in) -> {
        topics.add(topic);
        producers.add(producer);
      });
    }
    assertEquals(List.of(STATE, STATE, TopicPath.of("urn:topics", "state")), topics);
    assertEquals(PRODUCER, producers.get(0));
    assertNull(producers.get(2));
    assertEquals(PRODUCER.address(), producers.get(1).address());
    XmlNode key = XmlTree.parse(producers.get(1).referenceParameters().get(0).getBytes(UTF_8), 100).root();
    assertEquals("7", key.text());
    assertFalse(producers.get(1).referenceParameters().get(0).contains("IsReferenceParameter"));
  }

  @Test
  void invalidProducerReferenceDoesNotInvalidateTheMessage() throws XMLStreamException {
    String good = new String(twoMessages(), UTF_8);
    for (String text : List.of(
        good.replace("http://a/producer", "not a URI"),
        good.replace("http://a/producer", "http://a/" + "a".repeat(EndpointReference.MAX_ADDRESS_CHARS)),
        good.replace("<wsa:Address>http://a/producer</wsa:Address>", ""))) {
      byte[] bytes = text.getBytes(UTF_8);
      List<TopicPath> topics = new ArrayList<>();
      reader.read(bytes, 0, bytes.length, "UTF-8", (topic, producer, in) -> {
        topics.add(topic);
        assertNull(producer, text);
      });
      assertEquals(List.of(STATE, FOREIGN), topics);
    }
  }

  @ParameterizedTest
  @CsvSource({"Simple,t0:state", "Concrete,t0:state/update", "Full,t0:state/update"})
  void topicIsReadInItsDialect(String dialect, String path) throws XMLStreamException {
    String text = new String(envelope(STATE, "<a/>"), UTF_8)
        .replace("TopicExpression/Concrete", "TopicExpression/" + dialect).replace("t0:state/update", path);
    byte[] bytes = text.getBytes(UTF_8);
    int read = reader.read(bytes, 0, bytes.length, null, (topic, producer, in) ->
        assertEquals(TopicPath.of("urn:topics", path.substring(3)), topic));
    assertEquals(1, read);
  }

  @Test
  void messageWithoutTopicHasNone() throws XMLStreamException {
    byte[] alone = template.notificationMessage(NotifyTemplate.prelude(TopicPath.NONE, PRODUCER), "<a/>".getBytes(UTF_8));
    assertEquals("http://a/s/1http://a/producer", XmlTree.parse(alone, 100).root().text());
  }

  @Test
  void notificationMessageIsSelfContained() throws XMLStreamException {
    byte[] alone = template.notificationMessage(NotifyTemplate.prelude(STATE, PRODUCER), "<a/>".getBytes(UTF_8));
    XmlNode message = XmlTree.parse(alone, 100).root();
    assertEquals("http://a/s/1t0:state/updatehttp://a/producer", message.text());
  }
}
