package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.LampService;
import org.understudy.test.cluster.Answer;

/** A client that fills its share of what the group keeps is refused, at every primary, and no other client is. */
class CallerSharesDoorTest {
  private static final String FLOOD = "192.0.2.1";
  private static final String HONEST = "198.51.100.1";
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String WSA = "http://www.w3.org/2005/08/addressing";
  private static final Map<String, String> FEW =
      Map.of(
          "understudy.trusted.proxies", "127.0.0.1",
          "understudy.pull.points", "4",
          "understudy.subscriptions", "4",
          "understudy.servicegroup.entries", "4",
          "understudy.resources", "4",
          "understudy.broker.registrations", "4",
          "understudy.state.bytes", "400000");

  @TempDir Path directory;
  private ServiceCluster site;

  private Answer post(String from, String path, String body) {
    return site.post(
        site.primary(), path, Soap.envelope("", body).getBytes(StandardCharsets.UTF_8), "text/xml", "X-Forwarded-For", from);
  }

  /** How many of these a client makes before it is refused. */
  private int fill(String from, String path, String body, String fault) {
    for (int made = 0; made < 100; made++) {
      Answer answer = post(from, path, body);
      if (answer.status() != 200) {
        assertEquals("Overloaded", answer.between("<ur:Code>", "</ur:Code>"));
        assertTrue(answer.text().contains(fault), answer.text());
        return made;
      }
    }
    return 100;
  }

  private void isShared(String path, String body, String fault) throws Exception {
    assertEquals(2, fill(FLOOD, path, body, fault), "half of four");
    assertEquals(200, post(HONEST, path, body).status());
    int before = site.primary();
    if (before == 1) {
      site.stop(1);
      site.primary();
      site.start(1);
      site.awaitReady(1);
    }
    assertEquals(0, fill(FLOOD, path, body, fault), "the new primary knows it as well");
    assertEquals(200, post(HONEST, path, body).status());
  }

  private static String subscribe() {
    return "<wsnt:Subscribe xmlns:wsnt='" + WSNT + "' xmlns:wsa='" + WSA
        + "'><wsnt:ConsumerReference><wsa:Address>http://127.0.0.1:9/none</wsa:Address></wsnt:ConsumerReference></wsnt:Subscribe>";
  }

  private static String add(int characters) {
    return "<sg:Add xmlns:sg='http://docs.oasis-open.org/wsrf/sg-2' xmlns:wsa='" + WSA
        + "'><sg:MemberEPR><wsa:Address>http://a</wsa:Address></sg:MemberEPR><sg:Content><x>" + "x".repeat(characters)
        + "</x></sg:Content></sg:Add>";
  }

  @Test
  void oneClientFillsItsOwnShareOfWhatAServiceKeeps() throws Exception {
    try (ServiceCluster open = new ServiceCluster(directory, LampService.class, 3, FEW)) {
      site = open;
      isShared(
          "/services/CreatePullPoint", "<wsnt:CreatePullPoint xmlns:wsnt='" + WSNT + "'/>", "UnableToCreatePullPointFault");
      isShared(site.service(), subscribe(), "SubscribeCreationFailedFault");
      isShared("/services/ServiceGroup", add(1), "AddRefusedFault");
      isShared(site.service(), "<n:create xmlns:n='urn:lamps'/>", "");
    }
  }

  @Test
  void oneClientFillsItsOwnShareOfRegistrations() throws Exception {
    try (ServiceCluster open = new ServiceCluster(directory, null, 3, FEW)) {
      site = open;
      isShared(
          "/services/NotificationBroker", "<br:RegisterPublisher xmlns:br='http://docs.oasis-open.org/wsn/br-2'/>",
          "PublisherRegistrationFailedFault");
    }
  }

  @Test
  void oneClientFillsItsOwnShareOfAllBytes() throws Exception {
    try (ServiceCluster open = new ServiceCluster(directory, LampService.class, 1, Map.of(
        "understudy.trusted.proxies", "127.0.0.1", "understudy.state.bytes", "400000"))) {
      site = open;
      assertEquals(3, fill(FLOOD, "/services/ServiceGroup", add(60_000), "understudy.caller.share"), "of 200,000 bytes");
      assertEquals(200, post(HONEST, "/services/ServiceGroup", add(60_000)).status());
      assertEquals(200, post(FLOOD, "/services/ServiceGroup", add(1_000)).status(), "there is some room left");
    }
  }

  @Test
  void messagesThatNobodyFetchesCountInTheShareOfWhoMadeThePullPoint() throws Exception {
    try (ServiceCluster open = new ServiceCluster(directory, null, 1, Map.of(
        "understudy.trusted.proxies", "127.0.0.1", "understudy.state.bytes", "400000"))) {
      site = open;
      String point = post(FLOOD, "/services/CreatePullPoint", "<wsnt:CreatePullPoint xmlns:wsnt='" + WSNT + "'/>")
          .between("<wsa:Address>", "</wsa:Address>");
      assertEquals(200, post(FLOOD, site.service(), subscribe().replace("http://127.0.0.1:9/none", point)).status());
      String message = "<wsnt:Notify xmlns:wsnt='" + WSNT + "'><wsnt:NotificationMessage><wsnt:Topic Dialect='"
          + "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Simple'>a</wsnt:Topic><wsnt:Message><x>" + "x".repeat(40_000)
          + "</x></wsnt:Message></wsnt:NotificationMessage></wsnt:Notify>";
      for (int i = 0; i < 30; i++) {
        post(FLOOD, site.service(), message);
      }
      // Messages that wait for the full pull point are everybody's; they end with the subscription.
      assertEquals(200, post(HONEST, "/services/CreatePullPoint", "<wsnt:CreatePullPoint xmlns:wsnt='" + WSNT + "'/>").status());
      Answer fetched = post(HONEST, point.substring(point.indexOf("/services")),
          "<wsnt:GetMessages xmlns:wsnt='" + WSNT + "'><wsnt:MaximumNumber>100</wsnt:MaximumNumber></wsnt:GetMessages>");
      int count = fetched.text().split("<wsnt:Message>", -1).length - 1;
      assertTrue(count <= 5, "messages of 40,000 bytes in 200,000: " + count);
    }
  }
}
