package org.understudy.notification.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.Test;
import org.understudy.notification.addressing.EndpointReference;
import org.understudy.notification.soap.XmlIntake;
import org.understudy.notification.soap.XmlLimits;
import org.understudy.notification.topic.TopicPath;

class NotifyTest {
  private static final TopicPath STATE = TopicPath.of("urn:topics", "state/update");
  private static final TopicPath FOREIGN =
      new TopicPath(List.of(new QName("urn:topics", "state"), new QName("urn:other", "extra")));
  private final NotifyReader reader = new NotifyReader(new XmlIntake(XmlLimits.ofMessages(1_000_000)));
  private final NotifyWriter writer =
      NotifyWriter.of(EndpointReference.to(URI.create("http://b/sink?x=1&y=2")), URI.create("http://a/producer"))
          .withHeaderBlocks(List.of("<k:Key xmlns:k='urn:key'>7</k:Key>"));

  private byte[] twoMessages() throws XMLStreamException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (NotifyWriter.Envelope envelope = writer.open(out, "urn:uuid:1")) {
      envelope.message(STATE, content -> {
        content.writeStartElement("p", "update", "urn:p");
        content.writeNamespace("p", "urn:p");
        content.writeCharacters("<é>");
        content.writeEndElement();
      });
      envelope.message(FOREIGN, "<raw><inner/>text</raw>".getBytes(UTF_8));
    }
    return out.toByteArray();
  }

  @Test
  void whatIsWrittenIsReadAgain() throws XMLStreamException {
    byte[] bytes = twoMessages();
    List<String> seen = new ArrayList<>();
    int messages = reader.read(bytes, 0, bytes.length, null, new NotificationHandler() {
      @Override
      public void header(XMLStreamReader in) throws XMLStreamException {
        seen.add(in.getLocalName() + "=" + in.getElementText());
      }

      @Override
      public void message(TopicPath topic, XMLStreamReader in) throws XMLStreamException {
        seen.add(topic + " " + in.getLocalName() + (topic.equals(STATE) ? " " + in.getElementText() : ""));
      }
    });
    assertEquals(2, messages);
    assertEquals(
        List.of(
            "To=http://b/sink?x=1&y=2",
            "Action=http://docs.oasis-open.org/wsn/bw-2/NotificationConsumer/Notify",
            "MessageID=urn:uuid:1",
            "Key=7",
            "{urn:topics}state/update update <é>",
            "{urn:topics}state/{urn:other}extra raw"),
        seen);
  }

  @Test
  void aHandlerThatStraysIsFoundOut() throws XMLStreamException {
    byte[] bytes = twoMessages();
    assertThrows(IllegalStateException.class, () -> reader.read(bytes, 0, bytes.length, null, (topic, in) -> {
      while (!in.isEndElement() || !in.getLocalName().equals("NotificationMessage")) {
        in.next();
      }
    }));
  }

  @Test
  void whatIsNoNotifyIsRefused() throws XMLStreamException {
    String good = new String(twoMessages(), UTF_8);
    List<String> bad = List.of(
        "",
        "<a/>",
        "<!DOCTYPE a>" + good.replaceFirst("<\\?.*?\\?>", ""),
        good.substring(0, good.length() - 3),
        good.replace("wsnt:Notify>", "wsnt:Renew>"),
        good.replace("t0:state/update", "tx:state/update"),
        good.replace("<raw>", "<raw/><raw>"),
        good.replace("<inner/>", "<i>".repeat(200) + "</i>".repeat(200)));
    for (String text : bad) {
      byte[] bytes = text.getBytes(UTF_8);
      assertThrows(
          XMLStreamException.class, () -> reader.read(bytes, 0, bytes.length, "UTF-8", (topic, in) -> {}), text);
    }
  }

  @Test
  void messageIdsAreRandomUuids() {
    String id = NotifyWriter.newMessageId();
    UUID uuid = UUID.fromString(id.substring("urn:uuid:".length()));
    assertTrue(id.startsWith("urn:uuid:"));
    assertEquals(4, uuid.version());
    assertEquals(2, uuid.variant());
  }
}
