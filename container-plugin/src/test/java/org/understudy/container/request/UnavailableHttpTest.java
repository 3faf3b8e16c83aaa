package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.NoticesSilence;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.OnlyWith;

/** What a replica that cannot serve answers to operations of standards: their fault, and ours for who understands it. */
@ForEachStrategy
@NoticesSilence(because = "a replica without a majority loses its authority")
class UnavailableHttpTest {
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String R = "http://docs.oasis-open.org/wsrf/r-2";
  private static final String MANAGER = "/services/SubscriptionManager/some";
  private static final String POINT = "/services/PullPoint/some";
  private static final String ADDRESS =
      "<a:Address xmlns:a='http://www.w3.org/2005/08/addressing'>http://127.0.0.1:1/</a:Address>";

  private static final String SUBSCRIBE =
      wsn("Subscribe", "<w:ConsumerReference>" + ADDRESS + "</w:ConsumerReference>");

  /** At a service. */
  private static final String[][] AT_LAMPS = {
    {"/services/LampService/some", Wsrf.rp("GetResourceProperty", "l:Level"), R, "ResourceUnavailableFault"},
    {"/services/LampService/some", Wsrf.rp("SetResourceProperties", ""), R, "ResourceUnavailableFault"},
    {"/services/LampService/some", Wsrf.rl("Destroy", ""), R, "ResourceUnavailableFault"},
    {"/services/LampService/some", Wsrf.rl("SetTerminationTime", ""), R, "ResourceUnavailableFault"},
    {MANAGER, Wsrf.rp("GetResourcePropertyDocument", ""), R, "ResourceUnavailableFault"},
    {"/services/ServiceGroup", "<g:Add xmlns:g='http://docs.oasis-open.org/wsrf/sg-2'/>", R, "ResourceUnavailableFault"},
    {"/services/LampService/some", SUBSCRIBE, WSNT, "SubscribeCreationFailedFault"},
    {MANAGER, wsn("Unsubscribe", ""), WSNT, "UnableToDestroySubscriptionFault"},
    {MANAGER, wsn("PauseSubscription", ""), WSNT, "PauseFailedFault"},
    {MANAGER, wsn("ResumeSubscription", ""), WSNT, "ResumeFailedFault"},
    {MANAGER, wsn("Renew", ""), "", ""},
    {"/services/CreatePullPoint", wsn("CreatePullPoint", ""), WSNT, "UnableToCreatePullPointFault"},
    {POINT, wsn("GetMessages", ""), WSNT, "UnableToGetMessagesFault"},
    {POINT, wsn("DestroyPullPoint", ""), WSNT, "UnableToDestroyPullPointFault"},
    {"/services/LampService", "<l:create xmlns:l='urn:lamps'/>", "", ""}
  };

  @TempDir Path directory;

  private static String wsn(String operation, String content) {
    return "<w:" + operation + " xmlns:w='" + WSNT + "'>" + content + "</w:" + operation + ">";
  }

  @ParameterizedTest
  @ValueSource(strings = {Soap.SOAP11, Soap.SOAP12})
  @OnlyWith(value = "primary-backup", because = "every member serves")
  void aReplicaThatIsNotPrimarySaysSoWithTheFaultOfTheContractAndPointsToThePrimary(String soap) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of())) {
      UnavailableAnswers.checkBackup(site, soap, AT_LAMPS);
    }
  }

  @Test
  void groupWithoutQuorumExecutesAndLosesNothing() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of("understudy.request.deadline.ms", "2000"))) {
      int alone = site.primary();
      Answer made = Wsrf.post(site, alone, "/services/CreatePullPoint", wsn("CreatePullPoint", ""));
      String point = "/services/PullPoint/" + made.between("/services/PullPoint/", "<");
      String message = "<w:NotificationMessage><w:Message><x>1</x></w:Message></w:NotificationMessage>";
      assertEquals(202, Wsrf.post(site, alone, point, wsn("Notify", message)).status());
      String id = Wsrf.create(site);
      String subscribed = Wsrf.lamp(site, alone, id, SUBSCRIBE).between("/services/SubscriptionManager/", "<");
      String manager = "/services/SubscriptionManager/" + subscribed;
      int first = site.backup();
      site.stop(first);
      site.stop(6 - alone - first);
      // Until it knows that it is alone it executes, and the outcome is open.
      Condition.await(() -> Wsrf.post(site, alone, MANAGER, wsn("PauseSubscription", "")).text().contains(">NoQuorum<"));
      String[] get = {point, wsn("GetMessages", ""), WSNT, "UnableToGetMessagesFault"};
      UnavailableAnswers.check(Wsrf.post(site, alone, point, get[1]), get);
      String[] destroy = {"", Wsrf.rl("Destroy", ""), R, "ResourceUnavailableFault"};
      UnavailableAnswers.check(Wsrf.lamp(site, alone, id, destroy[1]), destroy);
      for (String[] operation : AT_LAMPS) {
        if (operation[0].equals(MANAGER) && operation[2].equals(WSNT)) {
          UnavailableAnswers.check(Wsrf.post(site, alone, manager, operation[1]), operation);
        }
      }
      site.start(first);
      Condition.await(() -> site.health(first, "ready").statusCode() == 200);
      String got = Wsrf.post(site, site.primary(), point, wsn("GetMessages", "")).body();
      assertTrue(got.contains("<x>1</x>"), got);
      String again = Wsrf.post(site, site.primary(), point, wsn("GetMessages", "")).body();
      assertFalse(again.contains("<x>"), again);
      assertTrue(Wsrf.get(site, site.primary(), id, "l:Level").contains(">0<"));
      assertEquals(200, Wsrf.post(site, site.primary(), manager, wsn("Unsubscribe", "")).status());
    }
  }

  @Test
  void backupWithoutPrimaryAnswersWithTheContractsFault() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of("understudy.request.deadline.ms", "500"))) {
      String id = Wsrf.create(site);
      int primary = site.primary();
      int last = site.backup();
      for (int number = 1; number <= 3; number++) {
        if (number != primary && number != last) {
          site.stop(number);
        }
      }
      site.stop(primary);
      String[] property = AT_LAMPS[0];
      Condition.await(() -> Wsrf.lamp(site, last, id, property[1]).text().contains("<ur:Executed>no<"));
      UnavailableAnswers.check(Wsrf.lamp(site, last, id, property[1]), property);
    }
  }
}
