package org.understudy.lab.notify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

@Timeout(60)
class SubscriberTest {
  private static final QName TOPIC = new QName("http://counter.com", "Value");
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";

  private final Set<String> subscribed = new ConcurrentSkipListSet<>();
  private HttpServer producer;
  private URI address;

  @BeforeEach
  void start() throws IOException {
    producer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    producer.start();
    address = URI.create("http://127.0.0.1:" + producer.getAddress().getPort() + "/counter");
  }

  @AfterEach
  void stop() {
    producer.stop(0);
  }

  @Test
  void everyConsumerIsSubscribedToTheTopic() throws Exception {
    producer.createContext("/counter", this::subscribe);
    List<String> consumers = IntStream.range(0, 100).mapToObj(k -> "http://127.0.0.1:1/sink/" + k).toList();
    new Subscriber().subscribe(address, TOPIC, consumers, share -> {});
    assertEquals(Set.copyOf(consumers), subscribed);
  }

  @Test
  void refusalKeepsTheProducersText() {
    producer.createContext("/counter", exchange -> answer(exchange, 500, "no such topic"));
    IOException refusal =
        assertThrows(
            IOException.class,
            () -> new Subscriber().subscribe(address, TOPIC, List.of("http://127.0.0.1:1/sink/0"), share -> {}));
    assertTrue(refusal.getMessage().endsWith("HTTP status 500, no such topic"), refusal.getMessage());
  }

  private void subscribe(HttpExchange exchange) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      Document request = factory.newDocumentBuilder().parse(exchange.getRequestBody());
      Element expression = (Element) request.getElementsByTagNameNS(WSNT, "TopicExpression").item(0);
      String[] topic = expression.getTextContent().split(":");
      if (TOPIC.equals(new QName(expression.lookupNamespaceURI(topic[0]), topic[1]))) {
        subscribed.add(request.getElementsByTagNameNS("http://www.w3.org/2005/08/addressing", "Address").item(0)
            .getTextContent());
      }
      answer(exchange, 200, "<SubscriptionReference/>");
    } catch (org.xml.sax.SAXException | javax.xml.parsers.ParserConfigurationException e) {
      answer(exchange, 500, e.toString());
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
