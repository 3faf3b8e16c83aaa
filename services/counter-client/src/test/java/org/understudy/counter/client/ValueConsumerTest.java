package org.understudy.counter.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ValueConsumerTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private ValueConsumer consumer;

  @BeforeEach
  void listen() throws Exception {
    consumer = new ValueConsumer("127.0.0.1", 0);
  }

  @AfterEach
  void close() {
    consumer.close();
  }

  private static String change(String value) {
    return "<n:NotificationMessage><n:Topic Dialect=\"http://docs.oasis-open.org/wsn/t-1/TopicExpression/Simple\">c:Value"
        + "</n:Topic><n:Message><p:ResourcePropertyValueChangeNotification xmlns:p=\"http://docs.oasis-open.org/wsrf/rp-2\">"
        + "<p:OldValues><c:Value>-1</c:Value></p:OldValues><p:NewValues><c:Value>" + value
        + "</c:Value></p:NewValues></p:ResourcePropertyValueChangeNotification></n:Message></n:NotificationMessage>";
  }

  private static String notify(String soap, String id, String... messages) {
    return "<s:Envelope xmlns:s=\"" + soap + "\" xmlns:a=\"http://www.w3.org/2005/08/addressing\""
        + " xmlns:n=\"http://docs.oasis-open.org/wsn/b-2\" xmlns:c=\"http://counter.com\"><s:Header>" + id
        + "</s:Header><s:Body><n:Notify>" + String.join("", messages) + "</n:Notify></s:Body></s:Envelope>";
  }

  private static String notify(int id, String... messages) {
    return notify(
        "http://schemas.xmlsoap.org/soap/envelope/", "<a:MessageID>urn:m:" + id + "</a:MessageID>", messages);
  }

  private int post(URI address, String text, Charset charset) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(address)
        .header("Content-Type", "text/xml; charset=" + charset)
        .POST(HttpRequest.BodyPublishers.ofByteArray(text.getBytes(charset)))
        .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private int post(String text) throws Exception {
    return post(consumer.address(), text, StandardCharsets.UTF_8);
  }

  private Integer next() throws Exception {
    ValueConsumer.News news = consumer.next(Duration.ZERO);
    return news == null || news.ended() ? null : Integer.valueOf(news.value());
  }

  @Test
  void newValuesAreReportedInMessageOrder() throws Exception {
    assertEquals(202, post(notify(1, change("3"))));
    assertEquals(202, post(notify(2, change("13"), change("14"))));
    assertEquals(202, post(notify("http://www.w3.org/2003/05/soap-envelope", "", change(" -2147483648 "))));
    assertEquals(202, post(consumer.address(), notify(3, change("7")), StandardCharsets.UTF_16));
    assertEquals(3, next());
    assertEquals(13, next());
    assertEquals(14, next());
    assertEquals(Integer.MIN_VALUE, next());
    assertEquals(7, next());
    assertNull(next());
  }

  @Test
  void duplicateMessageIsProcessedOnce() throws Exception {
    assertEquals(202, post(notify(1, change("3"))));
    assertEquals(202, post(notify(2, change("13"))));
    assertEquals(202, post(notify(1, change("3"))));
    assertEquals(3, next());
    assertEquals(13, next());
    assertNull(next());
  }

  @Test
  void withoutMessageIdEachMessageIsANewOne() throws Exception {
    String anonymous = notify("http://schemas.xmlsoap.org/soap/envelope/", "", change("3"));
    assertEquals(202, post(anonymous));
    assertEquals(202, post(anonymous));
    assertEquals(3, next());
    assertEquals(3, next());
  }

  @Test
  void messageWithoutValueIsAcceptedAndIgnored() throws Exception {
    assertEquals(202, post(notify(1, "<n:NotificationMessage><n:Message><o:Other xmlns:o=\"urn:o\"><c:Value>5</c:Value>"
        + "</o:Other></n:Message></n:NotificationMessage>")));
    assertNull(next());
  }

  @Test
  void terminationOfTheCounterIsReported() throws Exception {
    assertEquals(202, post(notify(1, change("3"), "<n:NotificationMessage><n:Message><l:TerminationNotification"
        + " xmlns:l=\"http://docs.oasis-open.org/wsrf/rl-2\"><l:TerminationTime>2026-01-01T00:00:00Z</l:TerminationTime>"
        + "</l:TerminationNotification></n:Message></n:NotificationMessage>")));
    assertEquals(3, next());
    assertTrue(consumer.next(Duration.ZERO).ended());
  }

  @Test
  void invalidRequestIsRefusedAndItsIdStaysFree() throws Exception {
    assertEquals(400, post("nonsense"));
    assertEquals(400, post("<!DOCTYPE x>" + notify(1, change("3"))));
    assertEquals(400, post(notify(1, change("many"))));
    assertEquals(400, post(notify(1, change("3"), change("99999999999"))));
    assertEquals(413, post(notify(1, change("3" + " ".repeat(1 << 20)))));
    assertNull(next());
    assertEquals(202, post(notify(1, change("3"))));
    assertEquals(3, next());
    HttpRequest get = HttpRequest.newBuilder(consumer.address()).build();
    assertEquals(405, HTTP.send(get, HttpResponse.BodyHandlers.discarding()).statusCode());
  }

  @Test
  void notificationForAnUnknownPathIsIgnored() throws Exception {
    assertEquals(404, post(consumer.address().resolve("/value"), notify(1, change("3")), StandardCharsets.UTF_8));
    assertNull(next());
  }

  @Test
  void fullQueueRefusesUntilThereIsRoom() throws Exception {
    String[] many = new String[250];
    java.util.Arrays.fill(many, change("1"));
    int sent = 0;
    for (int i = 0; i < 40; i++) {
      assertEquals(202, post(notify(i, many)));
      sent += many.length;
    }
    assertEquals(503, post(notify(40, change("2"))));
    assertEquals(1, next());
    assertEquals(202, post(notify(40, change("2"))));
    for (int i = 1; i < sent; i++) {
      assertEquals(1, next());
    }
    assertEquals(2, next());
  }

  @Test
  void portInUseOrForeignHostIsReported() {
    int taken = consumer.address().getPort();
    String message = assertThrows(CounterException.class, () -> new ValueConsumer("127.0.0.1", taken)).getMessage();
    assertTrue(message.contains("--port"), message);
    assertThrows(CounterException.class, () -> new ValueConsumer("no host at all", 0));
  }
}
