package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.LampService;
import org.understudy.test.cluster.NoticesSilence;
import org.understudy.test.strategy.ForEachStrategy;

/** A client that fills its share of what the group keeps is refused, at every primary, and no other client is. */
@ForEachStrategy
class CallerSharesHttpTest {
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String WSA = "http://www.w3.org/2005/08/addressing";
  private static final Map<String, String> FEW =
      Map.of(
          "understudy.trusted.proxies", "127.0.0.1",
          "understudy.pull.points", "4",
          "understudy.subscriptions", "4",
          "understudy.servicegroup.entries", "4",
          "understudy.resources", "4",
          "understudy.state.bytes", "400000");

  @TempDir Path directory;

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
  @NoticesSilence(because = "a replica that is left out twice waits for a multiple of the suspicion time")
  void oneClientFillsItsOwnShareOfWhatAServiceKeeps() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, FEW)) {
      CallerShares callers = new CallerShares(site);
      callers.isShared(
          "/services/CreatePullPoint", "<wsnt:CreatePullPoint xmlns:wsnt='" + WSNT + "'/>", "UnableToCreatePullPointFault");
      callers.isShared(site.service(), subscribe(), "SubscribeCreationFailedFault");
      callers.isShared("/services/ServiceGroup", add(1), "AddRefusedFault");
      callers.isShared(site.service(), "<n:create xmlns:n='urn:lamps'/>", "");
    }
  }

  @Test
  void oneClientFillsItsOwnShareOfAllBytes() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 1, Map.of(
        "understudy.trusted.proxies", "127.0.0.1", "understudy.state.bytes", "400000"))) {
      CallerShares callers = new CallerShares(site);
      assertEquals(3, callers.fill(CallerShares.FLOOD, "/services/ServiceGroup", add(60_000), "understudy.caller.share"),
          "of 200,000 bytes");
      assertEquals(200, callers.post(CallerShares.HONEST, "/services/ServiceGroup", add(60_000)).status());
      assertEquals(200, callers.post(CallerShares.FLOOD, "/services/ServiceGroup", add(1_000)).status(), "there is some room left");
    }
  }
}
