package org.understudy.wsrf.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** Subscriptions and pull points over HTTP, quietly and over a lost primary. */
@ForEachStrategy
class NotificationHttpTest {
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String WSA = "http://www.w3.org/2005/08/addressing";
  private static final String XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116";

  @TempDir Path directory;
  private Consumer consumer;

  @BeforeEach
  void listen() throws Exception {
    consumer = new Consumer();
  }

  @AfterEach
  void stop() {
    consumer.close();
  }

  private static String topic(String dialect, String expression) {
    return "<w:TopicExpression Dialect='http://docs.oasis-open.org/wsn/t-1/TopicExpression/" + dialect
        + "' xmlns:l='urn:lamps'>" + expression + "</w:TopicExpression>";
  }

  private Answer subscribe(ServiceCluster site, String id, String filters, String rest) {
    return subscribe(site, id, consumer.address(), filters, rest);
  }

  private static Answer subscribe(ServiceCluster site, String id, String consumer, String filters, String rest) {
    return Wsrf.lamp(
        site, site.nextServer(), id,
        "<w:Subscribe xmlns:w='" + WSNT + "'><w:ConsumerReference><a:Address xmlns:a='" + WSA + "'>" + consumer
            + "</a:Address></w:ConsumerReference>" + (filters.isEmpty() ? "" : "<w:Filter>" + filters + "</w:Filter>")
            + rest + "</w:Subscribe>");
  }

  private static Answer manage(ServiceCluster site, Answer subscribed, String operation, String content) {
    return wsn(site, site.nextServer(), pathIn(subscribed), operation, content);
  }

  private static Answer wsn(ServiceCluster site, int replica, String path, String operation, String content) {
    return Wsrf.post(
        site, replica, path, "<w:" + operation + " xmlns:w='" + WSNT + "'>" + content + "</w:" + operation + ">");
  }

  /** Of the first address in an answer, what follows the web application. */
  private static String pathIn(Answer answer) {
    Matcher address = Pattern.compile("Address>[^<]*/app(/[^<]*)<").matcher(answer.text());
    assertTrue(address.find(), answer.text());
    return address.group(1);
  }

  private static void brighten(ServiceCluster site, String id, int by) {
    Answer answer = brighten(site, site.nextServer(), id, by, null);
    assertEquals(200, answer.status(), answer.text());
  }

  private static Answer brighten(ServiceCluster site, int replica, String id, int by, String messageId) {
    String headers = messageId == null ? "" : Soap.messageId(messageId);
    String body = "<l:brighten xmlns:l='urn:lamps'><by>" + by + "</by></l:brighten>";
    return site.post(
        replica, "/services/LampService/" + id, Soap.envelope(headers, body).getBytes(StandardCharsets.UTF_8),
        "text/xml; charset=UTF-8");
  }

  @Test
  void whatEndsASubscriptionLogsNoErrorAtAnyReplica() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of());
        LogRecorder log = LogRecorder.of(Level.WARNING, "org.understudy")) {
      String id = Wsrf.create(site);
      for (int replica = 1; replica <= 3; replica++) {
        // Another one stays, so that there is a subscriber.
        subscribe(site, id, topic("Concrete", "l:Level"), "");
        String manager = pathIn(subscribe(site, id, topic("Concrete", "l:Level"), ""));
        assertEquals(200, wsn(site, replica, manager, "Unsubscribe", "").status());
        String point = pathIn(Wsrf.post(site, replica, "/services/CreatePullPoint", "<w:CreatePullPoint xmlns:w='" + WSNT + "'/>"));
        assertEquals(200, wsn(site, replica, point, "DestroyPullPoint", "").status());
      }
      assertEquals(List.of(), log.lines());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"socket", "call", "notification"})
  void subscriberReceivesEveryChangeInOrderAcrossAFailover(String transfer) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of("understudy.transfer", transfer))) {
      String id = Wsrf.create(site);
      Answer subscribed = subscribe(site, id, topic("Concrete", "l:Level"), "");
      assertEquals(200, subscribed.status(), subscribed.text());
      List<Integer> expected = new ArrayList<>();
      for (int i = 1; i <= 20; i++) {
        brighten(site, id, 1);
        expected.add(i);
      }
      site.stop(site.primary());
      for (int i = 21; i <= 40; i++) {
        brighten(site, id, 1);
        expected.add(i);
      }
      Condition.await(() -> consumer.levels().size() >= expected.size());
      assertEquals(expected, consumer.levels());
      String first = consumer.heard().get(0);
      assertTrue(first.contains("ProducerReference"), first);
      assertTrue(first.contains(id), first);
    }
  }

  @Test
  void undeliveredMessagesAreDeliveredByTheNextPrimaryWithTheSameIds() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of())) {
      String id = Wsrf.create(site);
      consumer.answer(503);
      subscribe(site, id, topic("Simple", "l:Level"), "");
      brighten(site, id, 1);
      brighten(site, id, 1);
      Condition.await(() -> !consumer.heard().isEmpty());
      site.stop(site.primary());
      consumer.answer(202);
      brighten(site, id, 1);
      Condition.await(() -> consumer.levels().size() >= 3);
      assertEquals(List.of(1, 2, 3), consumer.levels());
    }
  }

  /** So many that the next primary lets the clients' requests go first. */
  @Test
  void manySubscribersReceiveMessagesAcrossAFailover() throws Exception {
    int subscribers = 60;
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of())) {
      String id = Wsrf.create(site);
      for (int i = 0; i < subscribers; i++) {
        assertEquals(200, subscribe(site, id, consumer.address(), topic("Concrete", "l:Level"), "").status());
      }
      brighten(site, id, 1);
      site.stop(site.primary());
      brighten(site, id, 1);
      brighten(site, id, 1);
      Condition.await(() -> consumer.levels().size() >= 3 * subscribers);
      for (int level = 1; level <= 3; level++) {
        assertEquals(subscribers, Collections.frequency(consumer.levels(), level), "told of level " + level);
      }
    }
  }

  @Test
  void aSubscriptionIsRenewedPausedResumedAndEndedAtWhicheverReplicaIsPrimary() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of())) {
      String id = Wsrf.create(site);
      Answer subscribed = subscribe(site, id, "", "<w:InitialTerminationTime>PT10M</w:InitialTerminationTime>");
      assertTrue(manage(site, subscribed, "Renew", "<w:TerminationTime>PT1H</w:TerminationTime>").text().contains("RenewResponse"));
      brighten(site, id, 1);
      Condition.await(() -> consumer.levels().equals(List.of(1)));
      assertTrue(manage(site, subscribed, "PauseSubscription", "").text().contains("PauseSubscriptionResponse"));
      brighten(site, id, 1);
      site.stop(site.primary());
      brighten(site, id, 1);
      assertTrue(manage(site, subscribed, "ResumeSubscription", "").text().contains("ResumeSubscriptionResponse"));
      brighten(site, id, 1);
      Condition.await(() -> consumer.levels().contains(4));
      assertEquals(List.of(1, 4), consumer.levels());
      String properties =
          Wsrf.post(site, site.nextServer(), pathIn(subscribed), Wsrf.rp("GetResourcePropertyDocument", "")).text();
      assertTrue(properties.contains(consumer.address()), properties);
      assertTrue(properties.matches("(?s).*:TerminationTime [^>]*>20.*"), properties);
      assertEquals(200, manage(site, subscribed, "Unsubscribe", "").status());
      Answer gone = manage(site, subscribed, "Unsubscribe", "");
      assertEquals(500, gone.status());
      assertTrue(gone.text().contains("ResourceUnknownFault"), gone.text());
    }
  }

  @Test
  void aSubscriptionsConsumerReferenceIsToldAsItWasWritten() throws Exception {
    String metadata = "<a:Metadata xmlns:m='urn:meta'><m:kind q='m:sink'>a &amp; b</m:kind></a:Metadata>";
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of())) {
      String id = Wsrf.create(site);
      Answer subscribed = referring(site, id, " xmlns:x='urn:extra' x:mark='1'", metadata + "<x:more a:note='2'/>");
      assertEquals(200, subscribed.status(), subscribed.text());
      brighten(site, id, 1);
      Condition.await(() -> consumer.levels().equals(List.of(1)));
      String heard = consumer.heard().get(0);
      assertTrue(heard.contains("IsReferenceParameter") && heard.contains(">7</k>"), heard);
      assertFalse(heard.contains("urn:meta"), heard);
      String property = Wsrf.rp("GetResourceProperty", "w:ConsumerReference").replaceFirst(">", " xmlns:w='" + WSNT + "'>");
      String before = Wsrf.post(site, site.nextServer(), pathIn(subscribed), property).body();
      assertTrue(before.contains(":Metadata"), before);
      assertTrue(before.matches("(?s).*<m:kind [^>]*q=\"m:sink\".*>a &amp; b</m:kind>.*"), before);
      assertTrue(before.matches("(?s).*:ConsumerReference [^>]*x:mark=\"1\".*<x:more [^>]*a:note=\"2\".*"), before);
      assertTrue(before.contains(consumer.address()) && before.contains(">7</k>"), before);
      site.stop(site.primary());
      assertEquals(before, Wsrf.post(site, site.nextServer(), pathIn(subscribed), property).body());
      String tooMuch = "<a:Metadata><m>" + "x".repeat(20_000) + "</m></a:Metadata>";
      assertFault("SubscribeCreationFailedFault", referring(site, id, "", tooMuch));
    }
  }

  private Answer referring(ServiceCluster site, String id, String attributes, String rest) {
    return Wsrf.lamp(
        site, site.nextServer(), id,
        "<w:Subscribe xmlns:w='" + WSNT + "' xmlns:a='" + WSA + "'><w:ConsumerReference" + attributes + "><a:Address>"
            + consumer.address() + "</a:Address><a:ReferenceParameters><k xmlns='urn:k'>7</k></a:ReferenceParameters>" + rest
            + "</w:ConsumerReference></w:Subscribe>");
  }

  @Test
  void aSubscriptionEndsAtItsTimeOnEveryReplica() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of())) {
      String id = Wsrf.create(site);
      Answer subscribed = subscribe(site, id, "", "<w:InitialTerminationTime>PT0.3S</w:InitialTerminationTime>");
      Condition.await(() -> manage(site, subscribed, "PauseSubscription", "").text().contains("ResourceUnknownFault"));
      site.stop(site.primary());
      assertTrue(manage(site, subscribed, "Unsubscribe", "").text().contains("ResourceUnknownFault"));
    }
  }

  @Test
  void filtersEvaluateMessagesAndProducerProperties() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(LampService.class, 1, Map.of())) {
      String id = Wsrf.create(site);
      Answer subscribed = subscribe(
          site, id,
          "<w:MessageContent Dialect='" + XPATH + "' xmlns:l='urn:lamps'>//*[local-name()='NewValues']/l:Level > 2</w:MessageContent>"
              + "<w:ProducerProperties Dialect='" + XPATH + "' xmlns:l='urn:lamps'>//l:Maker = 'Bulb &amp; Sons'</w:ProducerProperties>",
          "");
      assertEquals(200, subscribed.status(), subscribed.text());
      try (Consumer never = new Consumer()) {
        subscribe(
            site, id, never.address(),
            "<w:ProducerProperties Dialect='" + XPATH + "' xmlns:l='urn:lamps'>//l:Maker = 'Nobody'</w:ProducerProperties>", "");
        brighten(site, id, 2);
        brighten(site, id, 1);
        brighten(site, id, 1);
        Condition.await(() -> consumer.levels().contains(4));
        assertEquals(List.of(3, 4), consumer.levels());
        assertEquals(List.of(), never.heard());
      }
      assertTrue(subscribe(site, id, "<w:MessageContent Dialect='" + XPATH + "'>//[</w:MessageContent>", "").text()
          .contains("InvalidMessageContentExpressionFault"));
      assertTrue(subscribe(site, id, "<w:MessageContent Dialect='urn:none'>true()</w:MessageContent>", "").text()
          .contains("Fault"));
    }
  }

  @Test
  void aMessageComesAloneWhenTheSubscriberWantsItRaw() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(LampService.class, 1, Map.of())) {
      String id = Wsrf.create(site);
      subscribe(site, id, topic("Full", "l:Level | l:Owner"), "<w:SubscriptionPolicy><w:UseRaw/></w:SubscriptionPolicy>");
      brighten(site, id, 7);
      Condition.await(() -> consumer.heard().size() == 1);
      String raw = consumer.heard().get(0);
      assertFalse(raw.contains("NotificationMessage"), raw);
      assertEquals(List.of(7), consumer.levels());
    }
  }

  private static String port(String pattern, String settings) {
    Matcher matcher = Pattern.compile(pattern).matcher(settings.replace("\\", ""));
    assertTrue(matcher.find(), settings);
    return matcher.group(1);
  }

  @Test
  void rawMessagesToTheServersOwnPortsAreRefused() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of())) {
      String id = Wsrf.create(site);
      String raw = "<w:SubscriptionPolicy><w:UseRaw/></w:SubscriptionPolicy>";
      String settings = Files.readString(directory.resolve("understudy-1.properties"));
      String web = port("1=http://127.0.0.1:(\\d+)", settings);
      String peer = port("2=127.0.0.1:(\\d+)", settings);
      String topic = topic("Concrete", "l:Level");
      for (String host : List.of("127.0.0.1", "localhost", "127.0.0.2", "[::1]")) {
        String aimed = subscribe(site, id, "http://" + host + ":" + web + "/any", topic, raw).text();
        assertTrue(aimed.contains("SubscribeCreationFailedFault"), aimed);
        assertEquals(200, subscribe(site, id, "http://" + host + ":" + web + "/any", topic, "").status());
        String inside = subscribe(site, id, "http://" + host + ":" + peer + "/", topic, "").text();
        assertTrue(inside.contains("SubscribeCreationFailedFault"), inside);
      }
      Answer point = wsn(site, site.nextServer(), "/services/CreatePullPoint", "CreatePullPoint", "");
      Matcher address = Pattern.compile("Address>([^<]*)<").matcher(point.text());
      assertTrue(address.find());
      assertEquals(200, subscribe(site, id, address.group(1), topic, raw).status());
    }
  }

  @Test
  void theCurrentMessageOfAPropertyIsItsValue() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(LampService.class, 1, Map.of())) {
      String id = Wsrf.create(site);
      brighten(site, id, 9);
      String get = "<w:GetCurrentMessage xmlns:w='" + WSNT + "' xmlns:l='urn:lamps'><w:Topic Dialect='"
          + "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete'>%s</w:Topic></w:GetCurrentMessage>";
      String current = Wsrf.lamp(site, 1, id, String.format(get, "l:Level")).text();
      assertTrue(current.contains(">9</"), current);
      assertTrue(Wsrf.lamp(site, 1, id, String.format(get, "l:Nothing")).text().contains("TopicNotSupportedFault"));
      assertTrue(Wsrf.lamp(site, 1, id, String.format(get, "l:Owner")).text().contains("NoCurrentMessageOnTopicFault"));
      assertTrue(Wsrf.lamp(site, 1, "nobody", String.format(get, "l:Level")).text().contains("ResourceUnknownFault"));
    }
  }

  @Test
  void pullPointMessagesSurviveAFailoverAndAreFetchedOnce() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of())) {
      String id = Wsrf.create(site);
      Answer made = wsn(site, site.nextServer(), "/services/CreatePullPoint", "CreatePullPoint", "");
      assertEquals(200, made.status(), made.text());
      String point = pathIn(made);
      Matcher address = Pattern.compile("Address>([^<]*)<").matcher(made.text());
      assertTrue(address.find());
      assertEquals(200, subscribe(site, id, address.group(1), topic("Concrete", "l:Level"), "").status());
      for (int i = 0; i < 5; i++) {
        brighten(site, id, 1);
      }
      site.stop(site.primary());
      brighten(site, id, 1);
      List<Integer> levels = new ArrayList<>();
      Pattern level = Pattern.compile("NewValues><[^>]*Level[^>]*>(\\d+)<");
      Condition.await(() -> {
        Answer got = wsn(site, site.nextServer(), point, "GetMessages", "<w:MaximumNumber>4</w:MaximumNumber>");
        assertEquals(200, got.status(), got.text());
        for (Matcher found = level.matcher(got.text()); found.find(); ) {
          levels.add(Integer.valueOf(found.group(1)));
        }
        return levels.size() >= 6;
      });
      assertEquals(List.of(1, 2, 3, 4, 5, 6), levels);
      assertEquals(200, wsn(site, site.nextServer(), point, "DestroyPullPoint", "").status());
      assertTrue(wsn(site, site.nextServer(), point, "GetMessages", "").text().contains("ResourceUnknownFault"));
    }
  }

  @Test
  void aRepeatedGetMessagesGetsTheSameMessagesFromTheNextPrimary() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of())) {
      String point = pathIn(wsn(site, site.nextServer(), "/services/CreatePullPoint", "CreatePullPoint", ""));
      String notify = "<w:Notify xmlns:w='" + WSNT + "'><w:NotificationMessage><w:Message><x>1</x></w:Message>"
          + "</w:NotificationMessage></w:Notify>";
      assertEquals(202, Wsrf.post(site, site.nextServer(), point, notify).status());
      byte[] get =
          Soap.envelope(Soap.messageId("urn:get:1"), "<w:GetMessages xmlns:w='" + WSNT + "'/>").getBytes(StandardCharsets.UTF_8);
      String first = site.post(site.nextServer(), point, get, "text/xml").body();
      assertTrue(first.contains("<x>1</x>"), first);
      site.stop(site.primary());
      assertEquals(first, site.post(site.nextServer(), point, get, "text/xml").body());
      String empty = wsn(site, site.nextServer(), point, "GetMessages", "").body();
      assertFalse(empty.contains("<x>"), empty);
    }
  }

  @Test
  void endOfAResourceIsNotifiedWithItsReason() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(LampService.class, 1, Map.of())) {
      String rl = "<w:TopicExpression Dialect='http://docs.oasis-open.org/wsn/t-1/TopicExpression/Simple'"
          + " xmlns:rl='http://docs.oasis-open.org/wsrf/rl-2'>rl:ResourceTermination</w:TopicExpression>";
      String expiring = Wsrf.lamp(site, 1, null, "<l:createFor xmlns:l='urn:lamps'><millis>700</millis></l:createFor>")
          .between("<return>", "</return>");
      subscribe(site, expiring, rl, "");
      Condition.await(() -> consumer.heard().size() == 1);
      assertTrue(consumer.heard().get(0).contains("The termination time was reached."), consumer.heard().get(0));
      String destroyed = Wsrf.create(site);
      subscribe(site, destroyed, rl, "");
      assertEquals(200, Wsrf.lamp(site, 1, destroyed, Wsrf.rl("Destroy", "")).status());
      Condition.await(() -> consumer.heard().size() == 2);
      assertTrue(consumer.heard().get(1).contains("The resource was destroyed."), consumer.heard().get(1));
    }
  }

  @Test
  void subscriptionsOfADestroyedResourceEndAfterItsLastNotification() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of());
        Consumer elsewhere = new Consumer()) {
      String id = Wsrf.create(site);
      String other = Wsrf.create(site);
      consumer.hold();
      Answer own = subscribe(site, id, "", "");
      Answer paused = subscribe(site, id, elsewhere.address(), "", "");
      manage(site, paused, "PauseSubscription", "");
      Answer ofTheService = subscribe(site, null, elsewhere.address(), "", "");
      Answer ofAnother = subscribe(site, other, elsewhere.address(), "", "");
      brighten(site, id, 1);
      assertEquals(200, Wsrf.lamp(site, site.nextServer(), id, Wsrf.rl("Destroy", "")).status());
      Condition.await(() -> manage(site, paused, "ResumeSubscription", "").text().contains("ResourceUnknownFault"));
      Condition.await(() -> !consumer.heard().isEmpty());
      assertEquals(200, manage(site, own, "Renew", "<w:TerminationTime>PT1H</w:TerminationTime>").status());
      site.stop(site.primary());
      consumer.release();
      Condition.await(() -> consumer.heard().stream().anyMatch(message -> message.contains("TerminationNotification")));
      assertEquals(List.of(1), consumer.levels());
      Condition.await(() -> manage(site, own, "PauseSubscription", "").text().contains("ResourceUnknownFault"));
      assertEquals(200, manage(site, ofTheService, "PauseSubscription", "").status());
      assertEquals(200, manage(site, ofAnother, "PauseSubscription", "").status());
      int rest = site.primary();
      Condition.await(() -> site.health(rest, "live").body().contains("\"subscriptions\":2,"));
      Condition.await(() -> site.health(rest, "live").body().contains("\"messagesKept\":0,"));
    }
  }

  @Test
  void subscriptionsOfAnExpiredResourceEnd() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(LampService.class, 1, Map.of())) {
      String id = Wsrf.create(site);
      Answer subscribed = subscribe(site, id, "", "");
      assertEquals(200, subscribed.status(), subscribed.text());
      String now = "<rl:RequestedLifetimeDuration>PT0.1S</rl:RequestedLifetimeDuration>";
      assertEquals(200, Wsrf.lamp(site, 1, id, Wsrf.rl("SetTerminationTime", now)).status());
      String renew = "<w:TerminationTime>PT1H</w:TerminationTime>";
      Condition.await(() -> manage(site, subscribed, "Renew", renew).text().contains("ResourceUnknownFault"));
      List<String> heard = consumer.heard();
      String last = heard.get(heard.size() - 1);
      assertTrue(last.contains("The termination time was reached."), last);
    }
  }

  @Test
  void anOnvifClientsDialectIsSpoken() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(LampService.class, 1, Map.of())) {
      String id = Wsrf.create(site);
      Answer subscribed = subscribe(
          site, id,
          "<w:TopicExpression Dialect='http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet' xmlns:l='urn:lamps'>"
              + "l:Owner|l:Level//.</w:TopicExpression>",
          "");
      assertEquals(200, subscribed.status(), subscribed.text());
      brighten(site, id, 5);
      Condition.await(() -> consumer.levels().equals(List.of(5)));
    }
  }

  @Test
  void unreachableConsumerDelaysNeitherOthersNorTheRequest() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 1, Map.of("understudy.notification.queue", "3"))) {
      String id = Wsrf.create(site);
      Answer dead;
      try (Consumer gone = new Consumer()) {
        dead = subscribe(site, id, gone.address(), "", "");
      }
      subscribe(site, id, "", "");
      for (int i = 1; i <= 5; i++) {
        int told = i;
        brighten(site, id, 1);
        // The queue is as short for who answers.
        Condition.await(() -> consumer.levels().size() == told);
      }
      assertEquals(List.of(1, 2, 3, 4, 5), consumer.levels());
      Condition.await(() -> manage(site, dead, "PauseSubscription", "").text().contains("ResourceUnknownFault"));
      // Nothing is kept any longer for who is gone; the meters tell of both.
      Condition.await(() -> site.health(1, "live").body().contains("\"messagesKept\":0,"));
      // How far delivery has come is no resource of the service: the name of its key would do to overwrite it.
      for (String key : new String[] {"delivered", "notifications/delivered", "notifications%2Fdelivered"}) {
        Answer destroy = Wsrf.lamp(site, 1, key, Wsrf.rl("Destroy", ""));
        assertTrue(destroy.status() == 400 || destroy.text().contains("ResourceUnknownFault"), destroy.text());
      }
      String health = site.health(1, "live").body();
      assertTrue(health.contains("\"subscriptions\":1,"), health);
      assertTrue(health.contains("\"notified\":5,"), health);
      assertTrue(health.matches("(?s).*\"consumers(TooSlow|Unreachable)\":1[,}].*"), health);
    }
  }

  @Test
  void invalidRequestsGetTheStandardsFaults() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(LampService.class, 1, Map.of())) {
      String id = Wsrf.create(site);
      assertFault("TopicNotSupportedFault", subscribe(site, id, topic("Concrete", "l:Weather"), ""));
      assertFault("TopicExpressionDialectUnknownFault", subscribe(site, id, topic("Telepathic", "l:Level"), ""));
      assertFault("InvalidTopicExpressionFault", subscribe(site, id, topic("Concrete", "none:Level"), ""));
      assertFault(
          "UnacceptableInitialTerminationTimeFault",
          subscribe(site, id, "", "<w:InitialTerminationTime>2001-01-01T00:00:00Z</w:InitialTerminationTime>"));
      assertFault(
          "InvalidProducerPropertiesExpressionFault",
          subscribe(site, id, "<w:ProducerProperties Dialect='urn:none'>true()</w:ProducerProperties>", ""));
      assertFault(
          "InvalidProducerPropertiesExpressionFault",
          subscribe(site, id, "<w:ProducerProperties>true()</w:ProducerProperties>", ""));
      assertFault("SubscribeCreationFailedFault", subscribe(site, id, "http://192.0.2.1/sink", "", ""));
      assertFault("ResourceUnknownFault", subscribe(site, "nobody", "", ""));
      assertFault(
          "UnrecognizedPolicyRequestFault",
          subscribe(site, id, "", "<w:SubscriptionPolicy><x xmlns='urn:x'/></w:SubscriptionPolicy>"));
      assertFault("ResourceUnknownFault", wsn(site, 1, "/services/SubscriptionManager/nobody", "Renew",
          "<w:TerminationTime>PT1M</w:TerminationTime>"));
    }
  }

  @Test
  void aRenewalThatIsRefusedLeavesTheTimeAsItWas() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(LampService.class, 1, Map.of())) {
      String id = Wsrf.create(site);
      String until = "<w:InitialTerminationTime>2087-06-05T04:03:02Z</w:InitialTerminationTime>";
      Answer subscribed = subscribe(site, id, "", until);
      assertEquals(200, subscribed.status(), subscribed.text());
      String read = Wsrf.rp("GetResourceProperty", "rl:TerminationTime");
      for (String time : List.of("2001-01-01T00:00:00Z", "-PT1S", "soon")) {
        Answer refused = manage(site, subscribed, "Renew", "<w:TerminationTime>" + time + "</w:TerminationTime>");
        assertFault("UnacceptableTerminationTimeFault", refused);
        assertTrue(refused.text().matches("(?s).*:MinimumTime>20[0-9-]+T[0-9:]+(\\.\\d{3})?Z<.*"), refused.text());
        String now = Wsrf.post(site, 1, pathIn(subscribed), read).body();
        assertTrue(now.contains(">2087-06-05T04:03:02Z<"), now);
      }
    }
  }

  private static void assertFault(String type, Answer answer) {
    assertEquals(500, answer.status(), answer.text());
    assertTrue(answer.text().contains(":" + type), answer.text());
  }
}
