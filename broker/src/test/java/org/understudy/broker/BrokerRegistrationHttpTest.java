package org.understudy.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Wsrf;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.network.SelfSigned;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.wsrf.notification.Consumer;

/** Registered publishers, quietly and over a lost primary. */
@ForEachStrategy
class BrokerRegistrationHttpTest extends BrokerClients {
  @Test
  void requiredRegistrationRefusesUnregisteredPublishers() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 3, Map.of("understudy.broker.requires.registration", "true"))) {
      subscribe(site, "Concrete", "s:stock/high");
      Answer refused = Wsrf.post(site, site.nextServer(), BROKER, notifying(message("s:stock/high", "", 1)));
      assertRefused("RegisterPublisher", refused);
      Answer registered = register(site, reference("http://127.0.0.1:9/desk"));
      String consumerReference = path(registered, "NotificationBroker");
      site.stop(site.primary());
      assertEquals(202, Wsrf.post(site, site.nextServer(), consumerReference, notifying(message("s:stock/high", "", 2))).status());
      String from = "<w:ProducerReference><a:Address xmlns:a='" + WSA + "'>http://127.0.0.1:9/desk</a:Address></w:ProducerReference>";
      assertEquals(202, Wsrf.post(site, site.nextServer(), BROKER, notifying(message("s:stock/high", from, 3))).status());
      Condition.await(() -> prices().equals(List.of(2, 3)));
      assertEquals(
          200, operation(site, path(registered, "PublisherRegistrationManager"), BR, "DestroyRegistration").status());
      assertRefused(
          "is unknown: it was destroyed", Wsrf.post(site, site.nextServer(), consumerReference, notifying(message("s:stock/high", "", 4))));
      assertEquals(500, Wsrf.post(site, site.nextServer(), BROKER, notifying(message("s:stock/high", from, 5))).status());
    }
  }

  @Test
  void aRegistrationIsForItsTopics() throws Exception {
    for (String required : List.of("false", "true")) {
      Map<String, String> settings = Map.of("understudy.broker.requires.registration", required);
      try (ServiceCluster site = new ServiceCluster(Files.createDirectory(directory.resolve(required)), null, 1, settings)) {
        int before = prices().size();
        subscribe(site, "Full", "s:stock//.");
        Answer registered = register(site, reference("http://127.0.0.1:9/desk") + topic("Full", "s:stock/high | s:stock/low"));
        String consumerReference = path(registered, "NotificationBroker");
        String from = "<w:ProducerReference><a:Address xmlns:a='" + WSA + "'>http://127.0.0.1:9/desk</a:Address></w:ProducerReference>";
        assertEquals(202, Wsrf.post(site, 1, consumerReference, notifying(message("s:stock/high", "", 1))).status());
        assertRefused(
            "does not include the topic", Wsrf.post(site, 1, consumerReference, notifying(message("s:stock/other", "", 2))));
        assertRefused(
            "does not include the topic",
            Wsrf.post(site, 1, consumerReference, notifying(message("s:stock/low", "", 3) + message("s:stock", "", 3))));
        Answer byReference = Wsrf.post(site, 1, BROKER, notifying(message("s:stock/other", from, 4)));
        assertEquals(required.equals("true") ? 500 : 202, byReference.status());
        assertEquals(202, Wsrf.post(site, 1, BROKER, notifying(message("s:stock/low", from, 5))).status());
        List<Integer> expected = required.equals("true") ? List.of(1, 5) : List.of(1, 4, 5);
        Condition.await(() -> prices().subList(before, prices().size()).equals(expected));
      }
    }
  }

  @Test
  void registrationEndsByDestroyOrTerminationTime() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 3, Map.of())) {
      Answer registered = register(site, reference("http://127.0.0.1:9/desk") + topic("Concrete", "s:stock/high"));
      String manager = path(registered, "PublisherRegistrationManager");
      site.stop(site.primary());
      String properties =
          operation(site, manager, "http://docs.oasis-open.org/wsrf/rp-2", "GetResourcePropertyDocument").text();
      for (String part : List.of("http://127.0.0.1:9/desk", ">s:stock/high<", "urn:stock", "Demand", ">false<", "CreationTime",
          "TerminationTime")) {
        assertTrue(properties.contains(part), part + " in " + properties);
      }
      assertTrue(operation(site, manager, BR, "DestroyRegistration").text().contains("DestroyRegistrationResponse"));
      assertFault("ResourceUnknownFault", operation(site, manager, BR, "DestroyRegistration"));
      String brief = path(
          register(site, "<br:InitialTerminationTime>PT0.3S</br:InitialTerminationTime>"), "PublisherRegistrationManager");
      Condition.await(() ->
          operation(site, brief, "http://docs.oasis-open.org/wsrf/rp-2", "GetResourcePropertyDocument").status() == 500);
      assertFault("ResourceUnknownFault", operation(site, brief, BR, "DestroyRegistration"));
    }
  }

  @Test
  void invalidRegistrationsGetTheStandardsFaults() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 1, Map.of(
        "understudy.broker.topics", "{urn:stock}stock/high", "understudy.broker.registrations", "1"))) {
      assertFault("InvalidTopicExpressionFault", register(site, topic("Concrete", "none:stock")));
      assertFault("InvalidTopicExpressionFault", register(site, topic("Telepathic", "s:stock")));
      assertFault("InvalidTopicExpressionFault", register(site, topic("Concrete", "<s:stock/>")));
      assertFault("TopicNotSupportedFault", register(site, topic("Concrete", "s:weather")));
      assertFault("PublisherRegistrationFailedFault", register(site, "<br:Demand>true</br:Demand>"));
      assertFault("PublisherRegistrationFailedFault", register(site, "<br:Demand>perhaps</br:Demand>"));
      assertFault("PublisherRegistrationRejectedFault", register(site, reference("http://192.0.2.1/desk")));
      assertFault("UnacceptableInitialTerminationTimeFault",
          register(site, "<br:InitialTerminationTime>2001-01-01T00:00:00Z</br:InitialTerminationTime>"));
      assertEquals(200, register(site, "<br:Topic xmlns:s='urn:stock'>s:stock/high</br:Topic>").status());
      assertFault("PublisherRegistrationFailedFault", register(site, ""));
    }
  }

  @Test
  void publishersAndConsumersCanUseHttps() throws Exception {
    SelfSigned key = SelfSigned.of(directory, "ip:127.0.0.1");
    try (Publisher secure = new Publisher(key.context());
        Consumer hearing = new Consumer(key.context());
        ServiceCluster site = new ServiceCluster(directory, null, 3, Map.of(
            "understudy.trust.store", key.store().toString(),
            "understudy.trust.store.password", new String(SelfSigned.PASSWORD)))) {
      register(site, reference(secure.address()) + topic("Concrete", "s:stock/high") + "<br:Demand>true</br:Demand>");
      Condition.await(() -> secure.asked().equals(List.of("Subscribe", "PauseSubscription/1")));
      assertEquals(200, subscribe(site, hearing.address(), "Concrete", "s:stock/high", "").status());
      Condition.await(() -> secure.asked().contains("ResumeSubscription/1"));
      publish(site, 1);
      site.stop(site.primary());
      publish(site, 2);
      Condition.await(() -> hearing.heard().stream().anyMatch(message -> message.contains(">2</p:price>")));
      assertTrue(hearing.heard().get(0).contains(">1</p:price>"), hearing.heard().get(0));
    }
  }
}
