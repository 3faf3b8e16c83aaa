package org.understudy.notification.servlet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.understudy.notification.delivery.DeliverySettings;
import org.understudy.notification.subscription.EndReason;
import org.understudy.notification.topic.TopicNamespace;
import org.understudy.notification.topic.TopicPath;
import org.w3c.dom.Document;

/** A producer behind its servlet in a real Tomcat, and a client without any library for SOAP. */
final class Door implements AutoCloseable {
  static final String TOPICS = "urn:stocks";
  static final String SOAP11 = "http://schemas.xmlsoap.org/soap/envelope/";
  static final String SOAP12 = "http://www.w3.org/2003/05/soap-envelope";

  /** Held, or the level would be forgotten with the logger. */
  private static final Logger TOMCAT = Logger.getLogger("org.apache");

  static {
    TOMCAT.setLevel(Level.SEVERE);
  }

  final VirtualClock clock = new VirtualClock();
  final BlockingQueue<EndReason> ends = new LinkedBlockingQueue<>();
  final MemoryProducer producer;
  final TopicPath price;
  final TopicPath volume;
  final String address;
  private final Tomcat tomcat = new Tomcat();
  private final HttpClient client = HttpClient.newHttpClient();

  Door(Path directory, UnaryOperator<MemoryProducer.Settings> choices) throws LifecycleException, IOException {
    tomcat.setBaseDir(Files.createDirectories(directory).toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    tomcat.getConnector();
    // Binds the port, which the producer has to know, before anything is served.
    tomcat.init();
    address = "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/notification";
    TopicNamespace topics = new TopicNamespace(TOPICS);
    price = topics.add("stock/price");
    volume = topics.add("volume");
    producer = new MemoryProducer(address, clock, choices.apply(new MemoryProducer.Settings()), topics, ends::add);
    Context context = tomcat.addContext("", null);
    Tomcat.addServlet(context, "notification", new MemoryProducerServlet(producer)).addMapping("/notification/*");
    tomcat.start();
  }

  /** Delivery that gives up after three tries, soon, but whose timeouts nobody runs into by accident. */
  static DeliverySettings quick() {
    return DeliverySettings.ofDefaults()
        .withRetries(Duration.ofMillis(3), Duration.ofMillis(1), Duration.ofMillis(5))
        .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(60));
  }

  HttpResponse<String> post(String to, String type, String body) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(to))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String from) throws IOException, InterruptedException {
    return client.send(HttpRequest.newBuilder(URI.create(from)).build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> call(String to, String header, String body) throws IOException, InterruptedException {
    return post(to, "text/xml; charset=utf-8", envelope(SOAP11, header, body));
  }

  HttpResponse<String> subscribe(String body) throws IOException, InterruptedException {
    return call(address, "", "<b:Subscribe>" + body + "</b:Subscribe>");
  }

  /** Subscribes and returns the address of the subscription's manager. */
  String subscribed(FakeSink sink, String rest) throws Exception {
    HttpResponse<String> response = subscribe(consumer(sink.address()) + rest);
    if (response.statusCode() != 200) {
      throw new AssertionError(response.body());
    }
    return text(response, "Address");
  }

  EndReason nextEnd() throws InterruptedException {
    return ends.poll(30, TimeUnit.SECONDS);
  }

  static String envelope(String soap, String header, String body) {
    return "<?xml version='1.0' encoding='UTF-8'?><s:Envelope xmlns:s='" + soap + "' xmlns:q='" + TOPICS
        + "' xmlns:a='http://www.w3.org/2005/08/addressing' xmlns:b='http://docs.oasis-open.org/wsn/b-2'"
        + " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><s:Header>" + header + "</s:Header><s:Body>"
        + body + "</s:Body></s:Envelope>";
  }

  static String consumer(String address) {
    return "<b:ConsumerReference><a:Address>" + address + "</a:Address></b:ConsumerReference>";
  }

  static String topic(String dialect, String expression) {
    return "<b:Filter><b:TopicExpression Dialect='http://docs.oasis-open.org/wsn/t-1/TopicExpression/" + dialect
        + "'>" + expression + "</b:TopicExpression></b:Filter>";
  }

  static String until(String time) {
    return "<b:InitialTerminationTime>" + time + "</b:InitialTerminationTime>";
  }

  static Document document(String xml) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  /** The text of the first element of that name; null when there is none. */
  static String text(HttpResponse<String> response, String name) throws Exception {
    var found = document(response.body()).getElementsByTagNameNS("*", name);
    return found.getLength() == 0 ? null : found.item(0).getTextContent();
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
    producer.close();
  }
}
