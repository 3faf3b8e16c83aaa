package org.understudy.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.request.CallerShares;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** A client that fills its share of what a broker keeps is refused, and no other client is. */
@ForEachStrategy
class BrokerSharesHttpTest {
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String WSA = "http://www.w3.org/2005/08/addressing";

  @TempDir Path directory;

  private static String subscribe() {
    return "<wsnt:Subscribe xmlns:wsnt='" + WSNT + "' xmlns:wsa='" + WSA
        + "'><wsnt:ConsumerReference><wsa:Address>http://127.0.0.1:9/none</wsa:Address></wsnt:ConsumerReference></wsnt:Subscribe>";
  }

  @Test
  void clientIsLimitedToItsShareOfRegistrations() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 3, Map.of(
        "understudy.trusted.proxies", "127.0.0.1", "understudy.broker.registrations", "4"))) {
      CallerShares callers = new CallerShares(site);
      callers.isShared(
          "/services/NotificationBroker", "<br:RegisterPublisher xmlns:br='http://docs.oasis-open.org/wsn/br-2'/>",
          "PublisherRegistrationFailedFault");
    }
  }

  @Test
  void unfetchedMessagesCountForTheCreatorOfThePullPoint() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 1, Map.of(
        "understudy.trusted.proxies", "127.0.0.1", "understudy.state.bytes", "400000"))) {
      CallerShares callers = new CallerShares(site);
      String point = callers.post(CallerShares.FLOOD, "/services/CreatePullPoint", "<wsnt:CreatePullPoint xmlns:wsnt='" + WSNT + "'/>")
          .between("<wsa:Address>", "</wsa:Address>");
      assertEquals(200, callers.post(CallerShares.FLOOD, site.service(), subscribe().replace("http://127.0.0.1:9/none", point)).status());
      String message = "<wsnt:Notify xmlns:wsnt='" + WSNT + "'><wsnt:NotificationMessage><wsnt:Topic Dialect='"
          + "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Simple'>a</wsnt:Topic><wsnt:Message><x>" + "x".repeat(40_000)
          + "</x></wsnt:Message></wsnt:NotificationMessage></wsnt:Notify>";
      for (int i = 0; i < 30; i++) {
        callers.post(CallerShares.FLOOD, site.service(), message);
      }
      // Messages that wait for the full pull point are everybody's; they end with the subscription.
      assertEquals(200, callers.post(CallerShares.HONEST, "/services/CreatePullPoint",
          "<wsnt:CreatePullPoint xmlns:wsnt='" + WSNT + "'/>").status());
      Answer fetched = callers.post(CallerShares.HONEST, point.substring(point.indexOf("/services")),
          "<wsnt:GetMessages xmlns:wsnt='" + WSNT + "'><wsnt:MaximumNumber>100</wsnt:MaximumNumber></wsnt:GetMessages>");
      int count = fetched.text().split("<wsnt:Message>", -1).length - 1;
      assertTrue(count <= 5, "messages of 40,000 bytes in 200,000: " + count);
    }
  }
}
