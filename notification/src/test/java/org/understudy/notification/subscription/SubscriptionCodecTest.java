package org.understudy.notification.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.filter.SubscriptionFilter;
import org.understudy.notification.message.Notification;
import org.understudy.notification.topic.TopicDialect;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.xpath.XPathException;
import org.understudy.notification.xpath.XPathExpression;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.SoapVersion;

class SubscriptionCodecTest {
  private static final Map<String, String> PREFIXES = Map.of("s", "urn:s", "o", "urn:other");

  private static Subscription full() throws NotificationFault {
    return new Subscription(
        "0123456789abcdef0123456789abcdef", "counter/7",
        new EndpointReference(
            URI.create("http://localhost:8080/sink?a=b"), List.of("<k xmlns=\"urn:k\">é</k>", "<l/>")),
        List.of(
            SubscriptionFilter.of(SubscriptionFilter.TOPIC_EXPRESSION,
                new Expression(TopicDialect.FULL.uri(), " s:a//.|s:b ", PREFIXES)),
            SubscriptionFilter.of(SubscriptionFilter.MESSAGE_CONTENT,
                new Expression(XPathExpression.DIALECT, "/o:n = 1", PREFIXES)),
            SubscriptionFilter.of(SubscriptionFilter.PRODUCER_PROPERTIES,
                new Expression(XPathExpression.DIALECT, "/o:p", PREFIXES))),
        true, true, 42, Instant.parse("2026-01-01T00:00:00.123456789Z"),
        Optional.of(Instant.parse("2027-01-01T00:00:00Z")));
  }

  @Test
  void subscriptionIsDecodedAsEncoded() throws Exception {
    Subscription before = full();
    byte[] bytes = SubscriptionCodec.encode(before);
    Subscription after = SubscriptionCodec.decode(bytes);
    assertArrayEquals(bytes, SubscriptionCodec.encode(after));
    assertEquals(before.toString().replaceAll("@[0-9a-f]+", ""), after.toString().replaceAll("@[0-9a-f]+", ""));
    assertTrue(after.raw() && after.paused());
    assertTrue(after.selects(TopicPath.of("urn:s", "a/x")));
    assertFalse(after.selects(TopicPath.of("urn:s", "c")));
    assertTrue(after.looksAtProperties());
    assertTrue(accepts(after, "<n xmlns='urn:other'>1</n>"));
    assertFalse(accepts(after, "<n>1</n>"));
    Subscription plain = before.resume(43).until(Optional.empty());
    assertEquals(43, SubscriptionCodec.decode(SubscriptionCodec.encode(plain)).since());
    assertEquals(Optional.empty(), SubscriptionCodec.decode(SubscriptionCodec.encode(plain)).termination());
  }

  @Test
  void soapVersionOfTheSubscriberIsKept() throws Exception {
    Subscription plain = full();
    Subscription soap12 = new Subscription(
        plain.id(), plain.producer(), plain.consumer(), plain.filters(), plain.raw(), plain.paused(), plain.since(),
        plain.created(), plain.termination(), SoapVersion.SOAP12);
    assertEquals(SoapVersion.SOAP11, SubscriptionCodec.decode(SubscriptionCodec.encode(plain)).version());
    Subscription after = SubscriptionCodec.decode(SubscriptionCodec.encode(soap12.pause().resume(44)));
    assertEquals(SoapVersion.SOAP12, after.version());
    assertEquals(plain.consumer(), after.consumer());
  }

  @Test
  void consumerReferenceIsKeptAsWritten() throws Exception {
    Subscription plain = full();
    Optional<String> written = Optional.of("<r m=\"1\"><a>http://localhost/</a><é/></r>");
    Subscription more = new Subscription(
        plain.id(), plain.producer(),
        new EndpointReference(plain.consumer().address(), plain.consumer().referenceParameters(), written),
        plain.filters(), plain.raw(), plain.paused(), plain.since(), plain.created(), plain.termination());
    assertEquals(1, SubscriptionCodec.encode(plain)[0]);
    assertEquals(plain.consumer(), SubscriptionCodec.decode(SubscriptionCodec.encode(plain)).consumer());
    assertEquals(2, SubscriptionCodec.encode(more)[0]);
    assertEquals(more.consumer(), SubscriptionCodec.decode(SubscriptionCodec.encode(more)).consumer());
    String tooLong = "<r>" + "x".repeat(EndpointReference.MAX_WRITTEN_CHARS) + "</r>";
    assertThrows(
        IllegalArgumentException.class,
        () -> new EndpointReference(plain.consumer().address(), List.of(), Optional.of(tooLong)));
  }

  private static boolean accepts(Subscription subscription, String xml) throws XPathException {
    return subscription.acceptsContent(new Notification(
        "counter/7", TopicPath.of("urn:s", "a"), xml.getBytes(UTF_8), 43, "<p xmlns='urn:other'/>".getBytes(UTF_8)));
  }

  @Test
  void equalSubscriptionsHaveEqualBytes() throws Exception {
    assertArrayEquals(SubscriptionCodec.encode(full()), SubscriptionCodec.encode(full()));
  }

  @Test
  void invalidSubscriptionBytesAreRefused() throws Exception {
    byte[] bytes = SubscriptionCodec.encode(full());
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(IllegalArgumentException.class, () -> SubscriptionCodec.decode(cut));
    }
    assertThrows(IllegalArgumentException.class, () -> SubscriptionCodec.decode(Arrays.copyOf(bytes, bytes.length + 1)));
    assertThrows(
        IllegalArgumentException.class, () -> SubscriptionCodec.decode(new byte[SubscriptionCodec.MAX_BYTES + 1]));
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      byte[] changed = bytes.clone();
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      try {
        SubscriptionCodec.decode(changed);
      } catch (IllegalArgumentException e) {
        assertFalse(e.getMessage().isEmpty());
      }
    }
  }
}
