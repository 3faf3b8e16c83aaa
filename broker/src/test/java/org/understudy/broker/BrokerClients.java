package org.understudy.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Wsrf;
import org.understudy.test.cluster.Answer;
import org.understudy.wsrf.notification.Consumer;
import org.w3c.dom.Element;

/** Clients of a broker: a consumer, a publisher, and their requests over HTTP. */
abstract class BrokerClients {
  static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  static final String BR = "http://docs.oasis-open.org/wsn/br-2";
  static final String WSA = "http://www.w3.org/2005/08/addressing";
  static final String DIALECT = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/";
  static final String BROKER = "/services/NotificationBroker";
  private static final Pattern PRICE = Pattern.compile("<p:price[^>]*>(\\d+)</p:price>");
  private static final Pattern ID = Pattern.compile("MessageID>([^<]+)<");

  @TempDir Path directory;
  Consumer consumer;
  Publisher publisher;

  @BeforeEach
  void listen() throws Exception {
    consumer = new Consumer();
    publisher = new Publisher();
  }

  @AfterEach
  void stop() {
    consumer.close();
    publisher.close();
  }

  static String message(String topic, String more, int price) {
    return "<w:NotificationMessage><w:Topic Dialect='" + DIALECT + "Concrete' xmlns:s='urn:stock'>" + topic + "</w:Topic>"
        + more + "<w:Message><p:price xmlns:p='urn:price'>" + price + "</p:price></w:Message></w:NotificationMessage>";
  }

  static String notifying(String... messages) {
    return "<w:Notify xmlns:w='" + WSNT + "'>" + String.join("", messages) + "</w:Notify>";
  }

  static void publish(ServiceCluster site, int price) {
    Answer answer = Wsrf.post(site, site.nextServer(), BROKER, notifying(message("s:stock/high", "", price)));
    assertEquals(202, answer.status(), answer.text());
  }

  Answer subscribe(ServiceCluster site, String dialect, String topic) {
    return subscribe(site, consumer.address(), dialect, topic, "");
  }

  static Answer subscribe(ServiceCluster site, String address, String dialect, String topic, String more) {
    return Wsrf.post(
        site, site.nextServer(), BROKER,
        "<w:Subscribe xmlns:w='" + WSNT + "'><w:ConsumerReference><a:Address xmlns:a='" + WSA + "'>" + address
            + "</a:Address></w:ConsumerReference><w:Filter><w:TopicExpression Dialect='" + DIALECT + dialect
            + "' xmlns:s='urn:stock'>" + topic + "</w:TopicExpression></w:Filter>" + more + "</w:Subscribe>");
  }

  static String reference(String address) {
    return "<br:PublisherReference><a:Address xmlns:a='" + WSA + "'>" + address + "</a:Address></br:PublisherReference>";
  }

  static String topic(String dialect, String topic) {
    return "<br:Topic Dialect='" + DIALECT + dialect + "' xmlns:s='urn:stock'>" + topic + "</br:Topic>";
  }

  static Answer register(ServiceCluster site, String content) {
    return Wsrf.post(
        site, site.nextServer(), BROKER, "<br:RegisterPublisher xmlns:br='" + BR + "'>" + content + "</br:RegisterPublisher>");
  }

  static Answer operation(ServiceCluster site, String path, String namespace, String name) {
    return Wsrf.post(site, site.nextServer(), path, "<o:" + name + " xmlns:o='" + namespace + "'/>");
  }

  /** Of an address in an answer, what follows the web application. */
  static String path(Answer answer, String endpoint) {
    Matcher address = Pattern.compile("Address[^>]*>[^<]*/app(/services/" + endpoint + "/[^<]*)<").matcher(answer.text());
    assertTrue(address.find(), answer.text());
    return address.group(1);
  }

  /** In their order; a message that came again under the same id counts once. */
  List<Integer> prices() {
    List<String> ids = new ArrayList<>();
    List<Integer> prices = new ArrayList<>();
    for (String message : consumer.heard()) {
      Matcher id = ID.matcher(message);
      Matcher price = PRICE.matcher(message);
      if (id.find() && price.find() && !ids.contains(id.group(1))) {
        ids.add(id.group(1));
        prices.add(Integer.valueOf(price.group(1)));
      }
    }
    return prices;
  }

  /** What is one-way is refused without an envelope. */
  static void assertRefused(String reason, Answer answer) {
    assertEquals(500, answer.status(), answer.text());
    assertEquals("", answer.text());
    assertTrue(answer.reason().contains(reason), answer.reason());
  }

  static void assertFault(String type, Answer answer) {
    assertEquals(500, answer.status(), answer.text());
    assertTrue(answer.text().contains(":" + type), answer.text());
  }

  static Element one(Element in, String namespace, String name) {
    assertEquals(1, in.getElementsByTagNameNS(namespace, name).getLength(), name);
    return (Element) in.getElementsByTagNameNS(namespace, name).item(0);
  }
}
