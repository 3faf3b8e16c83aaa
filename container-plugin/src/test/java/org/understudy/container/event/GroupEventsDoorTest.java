package org.understudy.container.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;

/** The topics Failover and Heartbeat, as a consumer at the other end sees them. */
class GroupEventsDoorTest {
  private static final String WSA = "http://www.w3.org/2005/08/addressing";
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String CONCRETE = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete";

  @TempDir Path directory;
  private final Queue<String> heard = new ConcurrentLinkedQueue<>();
  private HttpServer consumer;

  @BeforeEach
  void listen() throws Exception {
    consumer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    consumer.createContext("/", exchange -> {
      heard.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      exchange.sendResponseHeaders(202, -1);
      exchange.close();
    });
    consumer.start();
  }

  @AfterEach
  void stop() {
    consumer.stop(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"socket", "call", "notification"})
  void aSubscriberAtABackupHearsOfTheFailover(String transfer) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of("understudy.transfer", transfer))) {
      int backup = site.backup();
      assertEquals(200, subscribe(site, backup, "Failover", "PT10M").status());
      site.stop(site.primary());
      Condition.await(() -> heard.stream().anyMatch(is("Failover")));
      String told = heard.stream().filter(is("Failover")).findFirst().orElseThrow();
      assertTrue(told.contains(":Notify"), told);
      assertTrue(told.contains("role=\"primary\""), told);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"socket"})
  void heartbeatsComeUntilTheSubscriptionEnds(String transfer) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of("understudy.transfer", transfer))) {
      int primary = site.primary();
      Answer subscribed = subscribe(site, primary, "Heartbeat", "PT10M");
      Condition.await(() -> heard.stream().filter(is("Heartbeat")).count() >= 3);
      Answer renewed = manage(site, primary, subscribed, "Renew", "<w:TerminationTime>PT1M</w:TerminationTime>");
      assertTrue(renewed.text().contains("RenewResponse"), renewed.text());
      assertEquals(200, manage(site, primary, subscribed, "Unsubscribe", "").status());
      assertEquals(500, manage(site, primary, subscribed, "Unsubscribe", "").status());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"socket"})
  void anUnknownTopicAndAForeignConsumerAreRefused(String transfer) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, Map.of("understudy.transfer", transfer))) {
      assertTrue(subscribe(site, 1, "Weather", "PT1M").text().contains("TopicNotSupportedFault"));
      Answer foreign = subscribe(site, 1, "Failover", "PT1M", "http://192.0.2.1/sink");
      assertEquals(500, foreign.status());
      assertTrue(foreign.text().contains("SubscribeCreationFailedFault"), foreign.text());
    }
  }

  private static Predicate<String> is(String event) {
    return text -> text.contains("<ur:" + event);
  }

  private Answer subscribe(ServiceCluster site, int replica, String topic, String time) {
    return subscribe(site, replica, topic, time, "http://127.0.0.1:" + consumer.getAddress().getPort() + "/");
  }

  private static Answer subscribe(ServiceCluster site, int replica, String topic, String time, String consumer) {
    return post(site, replica, "/notification", "<w:Subscribe xmlns:w=\"" + WSNT + "\"><w:ConsumerReference><a:Address xmlns:a=\""
        + WSA + "\">" + consumer + "</a:Address></w:ConsumerReference><w:Filter><w:TopicExpression Dialect=\"" + CONCRETE
        + "\" xmlns:t=\"urn:understudy:topics:1\">t:" + topic + "</w:TopicExpression></w:Filter><w:InitialTerminationTime>"
        + time + "</w:InitialTerminationTime></w:Subscribe>");
  }

  private static Answer manage(ServiceCluster site, int replica, Answer subscribed, String operation, String content) {
    String text = subscribed.text();
    int begin = text.indexOf("Address>") + 8;
    String manager = text.substring(begin, text.indexOf('<', begin));
    return post(site, replica, manager, "<w:" + operation + " xmlns:w=\"" + WSNT + "\">" + content + "</w:" + operation + ">");
  }

  private static Answer post(ServiceCluster site, int replica, String path, String body) {
    String envelope = "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + body + "</s:Body></s:Envelope>";
    return site.post(replica, path, envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }
}
