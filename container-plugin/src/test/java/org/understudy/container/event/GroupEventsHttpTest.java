package org.understudy.container.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** The topics Failover and Heartbeat, as a consumer at the other end sees them. */
@ForEachStrategy
class GroupEventsHttpTest {
  private static final String WSA = "http://www.w3.org/2005/08/addressing";
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String CONCRETE = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete";

  @TempDir Path directory;
  private final Queue<String> heard = new ConcurrentLinkedQueue<>();
  private final Queue<String> paths = new ConcurrentLinkedQueue<>();
  private HttpServer consumer;

  @BeforeEach
  void listen() throws Exception {
    consumer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    consumer.createContext("/", exchange -> {
      paths.add(exchange.getRequestURI().getPath());
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
  void subscriberAtABackupIsNotifiedOfTheFailover(String transfer) throws Exception {
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

  @Test
  void aSubscriptionOutlivesEveryPrimaryAndCanBeManagedAtAnyReplica() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of())) {
      Answer subscribed = subscribe(site, site.backup(), "Failover", "PT10M");
      for (int round = 1; round <= 2; round++) {
        int lost = site.primary();
        long before = told("Failover");
        site.stop(lost);
        Condition.await(() -> told("Failover") > before);
        site.start(lost);
        site.awaitReady(lost);
      }
      assertEquals(200, manage(site, site.backup(), subscribed, "PauseSubscription", "").status());
      assertEquals(200, manage(site, site.primary(), subscribed, "ResumeSubscription", "").status());
      long before = told("Failover");
      site.stop(site.primary());
      Condition.await(() -> told("Failover") > before);
      Matcher epochs = Pattern.compile("<ur:Failover .*?<ur:Epoch>([0-9]+)<").matcher(String.join("", heard));
      Set<String> different = new HashSet<>();
      while (epochs.find()) {
        assertTrue(different.add(epochs.group(1)), "view " + epochs.group(1) + " was told twice");
      }
    }
  }

  @Test
  void heartbeatsAreNotInTheLogAndNotForSubscribersOfTheService() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of())) {
      String consumer = "http://127.0.0.1:" + this.consumer.getAddress().getPort() + "/";
      Answer all = post(site, 1, site.service(), "<w:Subscribe xmlns:w=\"" + WSNT + "\">" + reference(consumer + "all")
          + "</w:Subscribe>");
      assertEquals(200, all.status(), all.text());
      Answer beats = subscribe(site, 1, "Heartbeat", "PT10M");
      Condition.await(() -> told("Heartbeat") >= 3);
      String before = stable(site);
      long heardThen = told("Heartbeat");
      Condition.await(() -> told("Heartbeat") >= heardThen + 10);
      assertEquals(before, stable(site));
      assertTrue(paths.stream().noneMatch("/all"::equals), paths.toString());
      assertEquals(200, manage(site, 2, beats, "Unsubscribe", "").status());
      assertEquals(200, manage(site, 3, all, "Unsubscribe", "").status());
    }
  }

  @Test
  void groupEventsAreANotificationProducer() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 3, Map.of())) {
      String pullPoint = post(site, 1, "/services/CreatePullPoint", "<w:CreatePullPoint xmlns:w=\"" + WSNT + "\"/>")
          .between("Address>", "</");
      Answer refused = subscribe(site, 1, "Heartbeat", "PT1M", pullPoint);
      assertTrue(refused.text().contains("SubscribeCreationFailedFault"), refused.text());
      Answer current = post(site, site.backup(), "/notification", "<w:GetCurrentMessage xmlns:w=\"" + WSNT + "\"><w:Topic Dialect=\""
          + CONCRETE + "\" xmlns:t=\"urn:understudy:topics:1\">t:Failover</w:Topic></w:GetCurrentMessage>");
      assertTrue(current.text().contains("<ur:Failover"), current.text());
      Answer properties = post(site, 1, "/notification", "<p:GetResourceProperty xmlns:p=\"http://docs.oasis-open.org/wsrf/rp-2\""
          + " xmlns:w=\"" + WSNT + "\">w:TopicExpression</p:GetResourceProperty>");
      assertTrue(properties.text().contains("Heartbeat"), properties.text());
      String contract;
      try (InputStream in = site.uri(1, "/notification?wsdl").toURL().openStream()) {
        contract = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
      assertTrue(contract.contains("GroupEventsPortType"), contract);
      assertTrue(contract.contains("Subscribe"), contract);
    }
  }

  private long told(String event) {
    return heard.stream().filter(is(event)).count();
  }

  private static String stable(ServiceCluster site) throws Exception {
    String health = site.health(site.primary(), "live").body();
    Matcher stable = Pattern.compile("stable\"?[=:] ?([0-9]+)").matcher(health);
    assertTrue(stable.find(), health);
    return stable.group(1);
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
    return post(site, replica, "/notification", "<w:Subscribe xmlns:w=\"" + WSNT + "\">"
        + reference(consumer) + "<w:Filter><w:TopicExpression Dialect=\"" + CONCRETE
        + "\" xmlns:t=\"urn:understudy:topics:1\">t:" + topic + "</w:TopicExpression></w:Filter><w:InitialTerminationTime>"
        + time + "</w:InitialTerminationTime></w:Subscribe>");
  }

  private static String reference(String consumer) {
    return "<w:ConsumerReference><a:Address xmlns:a=\"" + WSA + "\">" + consumer + "</a:Address></w:ConsumerReference>";
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
