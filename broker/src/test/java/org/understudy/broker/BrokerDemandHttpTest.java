package org.understudy.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.soap.xml.Elements;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.w3c.dom.Element;

/** Publishers whose subscriptions follow the demand for their messages, quietly and over a lost primary. */
@ForEachStrategy
class BrokerDemandHttpTest extends BrokerClients {
  private Answer registerDemanding(ServiceCluster site) {
    Answer registered =
        register(site, reference(publisher.address()) + topic("Concrete", "s:stock/high") + "<br:Demand>true</br:Demand>");
    assertEquals(200, registered.status(), registered.text());
    return registered;
  }

  @Test
  void demandPublisherIsPausedAndResumedWithItsSubscribers() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 3, Map.of())) {
      publisher.refuse(2);
      Answer registered = registerDemanding(site);
      Condition.await(() -> publisher.asked().equals(List.of("Subscribe", "PauseSubscription/1")));
      String other = path(subscribe(site, "Concrete", "s:stock/low"), "SubscriptionManager");
      String one = path(subscribe(site, "Full", "s:stock/*"), "SubscriptionManager");
      Condition.await(() -> publisher.asked().contains("ResumeSubscription/1"));
      String demanded = publisher.consumers().get(0);
      assertEquals(202, site.post(1, demanded, Soap.envelope("", notifying(message("s:stock/high", "", 8)))
          .getBytes(StandardCharsets.UTF_8), "text/xml").status());
      Condition.await(() -> prices().equals(List.of(8)));
      operation(site, one, WSNT, "PauseSubscription");
      Condition.await(() -> publisher.asked().size() == 4);
      operation(site, one, WSNT, "ResumeSubscription");
      Condition.await(() -> publisher.asked().size() == 5);
      operation(site, one, WSNT, "Unsubscribe");
      Condition.await(() -> publisher.asked().size() == 6);
      operation(site, other, WSNT, "Unsubscribe");
      operation(site, path(registered, "PublisherRegistrationManager"), BR, "DestroyRegistration");
      Condition.await(() -> publisher.asked().size() == 7);
      assertEquals(
          List.of("Subscribe", "PauseSubscription/1", "ResumeSubscription/1", "PauseSubscription/1",
              "ResumeSubscription/1", "PauseSubscription/1", "Unsubscribe/1"),
          publisher.asked());
    }
  }

  /** The replica that the publisher sends to by its n-th subscription. */
  private int subscriber(ServiceCluster site, int subscription) {
    return replica(site, publisher.consumers().get(subscription));
  }

  private static int replica(ServiceCluster site, String consumer) {
    return IntStream.rangeClosed(1, 3)
        .filter(replica -> consumer.startsWith(site.uri(replica, BROKER).toString()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(consumer));
  }

  @Test
  void newPrimarySubscribesAtPublishersForItself() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 3, Map.of())) {
      publisher.hold();
      Answer registered = registerDemanding(site);
      int holder = replica(site, publisher.awaitHeld());
      // A view change while the publisher is subscribed at: the answer counts in the new epoch, and nobody subscribes again.
      int other = holder % 3 + 1;
      site.stop(other);
      Pattern without = Pattern.compile("\"members\":\\[[^" + other + "\\]]+]");
      Condition.await("a view without it", () -> without.matcher(site.health(holder, "writable").body()).find());
      Condition.await("the view to begin", () -> site.executesUpdates(holder));
      publisher.release();
      Condition.await(() -> publisher.current("PauseSubscription") > 0);
      int first = subscriber(site, publisher.current("PauseSubscription") - 1);
      assertTrue(site.hasSeveralServers() || first == site.primary(), publisher.consumers().toString());
      site.start(other);
      site.awaitReady(other);
      // The publisher would send to a replica that is gone: the next one has itself sent to, and gives the old one back.
      site.stop(first);
      Condition.await(
          "the next one to subscribe",
          () -> publisher.current("PauseSubscription") > 0 && subscriber(site, publisher.current("PauseSubscription") - 1) != first);
      int second = subscriber(site, publisher.current("PauseSubscription") - 1);
      assertTrue(site.hasSeveralServers() || second == site.primary(), publisher.consumers().toString());
      subscribe(site, "Concrete", "s:stock/high");
      Condition.await(() -> publisher.current("ResumeSubscription") > 0);
      site.start(first);
      Condition.await(() -> site.health(first, "ready").statusCode() == 200);
      operation(site, path(registered, "PublisherRegistrationManager"), BR, "DestroyRegistration");
      Condition.await("all subscriptions to be ended", publisher::hasEndedAll);
    }
  }

  @Test
  void lostSubscriptionIsCreatedAgainAndExpiringOneRenewed() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 1, Map.of())) {
      publisher.lastShortly();
      registerDemanding(site);
      Condition.await(() -> publisher.asked().contains("Renew/1"));
      publisher.lose(1);
      Condition.await(() -> publisher.asked().contains("PauseSubscription/2"));
      assertEquals(2, publisher.consumers().size());
    }
  }

  @Test
  void brokerSubscribesToExactlyTheRegisteredTopics() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 1, Map.of())) {
      register(site, reference(publisher.address()) + topic("Concrete", "s:stock/high") + topic("Full", "s:weather//.")
          + "<br:Demand>true</br:Demand>");
      Condition.await(() -> publisher.asked().size() == 4);
      Set<String> topics = new TreeSet<>();
      for (String envelope : publisher.subscribes()) {
        Element filter = one(Elements.read(envelope), WSNT, "Filter");
        assertEquals(1, Elements.children(filter).size(), envelope);
        Element expression = Elements.child(filter, WSNT, "TopicExpression");
        assertEquals("urn:stock", expression.lookupNamespaceURI("s"), envelope);
        topics.add(expression.getAttribute("Dialect") + " " + expression.getTextContent());
      }
      assertEquals(Set.of(DIALECT + "Concrete s:stock/high", DIALECT + "Full s:weather//."), topics);
      assertEquals(2, publisher.subscribes().size());
      subscribe(site, "Concrete", "s:weather/rain");
      Condition.await(() -> publisher.asked().size() == 5);
      int weather = publisher.subscribes().get(0).contains("s:weather") ? 1 : 2;
      assertEquals("ResumeSubscription/" + weather, publisher.asked().get(4));
    }
  }

  @Test
  void refusedSubscriptionIsRetriedAndALostOneCreatedAgain() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 3, Map.of())) {
      publisher.refuse(2);
      registerDemanding(site);
      Condition.await(() -> publisher.asked().equals(List.of("Subscribe", "PauseSubscription/1")));
      publisher.lose(1);
      subscribe(site, "Concrete", "s:stock/high");
      Condition.await(() -> publisher.asked().equals(
          List.of("Subscribe", "PauseSubscription/1", "ResumeSubscription/1/unknown", "Subscribe")));
      String anew = publisher.consumers().get(1);
      assertEquals(202, site.post(1, anew, Soap.envelope("", notifying(message("s:stock/high", "", 8)))
          .getBytes(StandardCharsets.UTF_8), "text/xml").status());
      Condition.await(() -> prices().equals(List.of(8)));
    }
  }

  /** CXF's publisher is one; some servers have no such address then. */
  @ParameterizedTest
  @ValueSource(ints = {500, 404})
  void publisherWithoutPausingIsUnsubscribedInstead(int status) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 1, Map.of())) {
      publisher.cannotPause(status);
      Answer registered = registerDemanding(site);
      Condition.await(() -> publisher.asked().equals(List.of("Subscribe", "PauseSubscription/1/what", "Unsubscribe/1")));
      String one = path(subscribe(site, "Concrete", "s:stock/high"), "SubscriptionManager");
      Condition.await(() -> publisher.consumers().size() == 2);
      String demanded = publisher.consumers().get(1);
      Condition.await(
          () -> site.post(1, demanded, Soap.envelope("", notifying(message("s:stock/high", "", 8)))
              .getBytes(StandardCharsets.UTF_8), "text/xml").status() == 202);
      Condition.await(() -> prices().contains(8));
      operation(site, one, WSNT, "Unsubscribe");
      Condition.await(() -> publisher.asked().contains("Unsubscribe/2"));
      operation(site, path(registered, "PublisherRegistrationManager"), BR, "DestroyRegistration");
      assertEquals(
          List.of("Subscribe", "PauseSubscription/1/what", "Unsubscribe/1", "Subscribe", "Unsubscribe/2"),
          publisher.asked());
    }
  }

  @Test
  void demandEndsWithTheLastSubscription() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 3, Map.of())) {
      registerDemanding(site);
      Condition.await(() -> publisher.asked().contains("PauseSubscription/1"));
      String subscription = path(subscribe(site, "Concrete", "s:stock/high"), "SubscriptionManager");
      Condition.await(() -> publisher.asked().contains("ResumeSubscription/1"));
      Answer renewed = Wsrf.post(
          site, site.nextServer(), subscription,
          "<w:Renew xmlns:w='" + WSNT + "'><w:TerminationTime>PT0.3S</w:TerminationTime></w:Renew>");
      assertEquals(200, renewed.status(), renewed.text());
      Condition.await(() -> publisher.asked().size() == 4);
      assertEquals(
          List.of("Subscribe", "PauseSubscription/1", "ResumeSubscription/1", "PauseSubscription/1"), publisher.asked());
    }
  }
}
