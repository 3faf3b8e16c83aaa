package org.understudy.wsrf.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** WS-ResourceLifetime over HTTP, at one replica and at three of which the primary is lost. */
@ForEachStrategy
class LifetimeHttpTest {
  private ServiceCluster site;

  @BeforeEach
  void open() throws Exception {
    site = ServiceCluster.shared(LampService.class, 3, Map.of());
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  private Answer lamp(String id, String body) {
    return Wsrf.lamp(site, site.nextServer(), id, body);
  }

  private Answer setTerminationTime(String id, String content) {
    return lamp(id, Wsrf.rl("SetTerminationTime", content));
  }

  private String terminationTime(String id) {
    return Wsrf.get(site, site.nextServer(), id, "rl:TerminationTime");
  }

  private boolean isThere(String id) {
    return lamp(id, Wsrf.rp("GetResourceProperty", "l:Level")).status() == 200;
  }

  private void fault(Answer answer, String type) {
    assertEquals(500, answer.status(), answer.text());
    assertTrue(answer.between("<detail>", "</detail>").startsWith("<f:" + type + " "), answer.text());
  }

  @Test
  void aDestroyedResourceIsUnknown() {
    String id = Wsrf.create(site);
    Answer destroyed = lamp(id, Wsrf.rl("Destroy", ""));
    assertEquals("<rl:DestroyResponse xmlns:rl=\"http://docs.oasis-open.org/wsrf/rl-2\"/>", destroyed.body());
    fault(lamp(id, Wsrf.rl("Destroy", "")), "ResourceUnknownFault");
    fault(setTerminationTime(id, "<rl:RequestedLifetimeDuration>PT1H</rl:RequestedLifetimeDuration>"),
        "ResourceUnknownFault");
    assertFalse(isThere(id));
  }

  @Test
  void terminationTimeIsSetReturnedAndRemoved() {
    String id = Wsrf.create(site);
    assertTrue(terminationTime(id).contains("xsi:nil=\"true\""));
    Answer at = setTerminationTime(
        id, "<rl:RequestedTerminationTime>2087-06-05T04:03:02.5+02:00</rl:RequestedTerminationTime>");
    assertTrue(at.body().contains(">2087-06-05T02:03:02.500Z</rl:NewTerminationTime>"), at.text());
    assertTrue(at.body().contains("</rl:CurrentTime>"), at.text());
    assertTrue(terminationTime(id).contains(">2087-06-05T02:03:02.500Z<"));
    Answer fine = setTerminationTime(
        id, "<rl:RequestedTerminationTime>2087-06-05T02:03:02.123456789Z</rl:RequestedTerminationTime>");
    assertTrue(fine.body().contains(">2087-06-05T02:03:02.124Z</rl:NewTerminationTime>"), "never earlier: " + fine.text());
    Answer never = setTerminationTime(id,
        "<rl:RequestedTerminationTime xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"/>");
    assertTrue(never.body().contains("<rl:NewTerminationTime") && never.body().contains("xsi:nil=\"true\""), never.text());
    assertTrue(terminationTime(id).contains("xsi:nil=\"true\""));
  }

  @Test
  void aDurationCountsFromNow() {
    String id = Wsrf.create(site);
    // As precise as what is told.
    Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Answer answer =
        setTerminationTime(id, "<rl:RequestedLifetimeDuration>P1M</rl:RequestedLifetimeDuration>");
    Instant now = Instant.parse(answer.between("<rl:CurrentTime", "</rl:CurrentTime>").replaceAll(".*>", ""));
    Instant time = Instant.parse(answer.between("<rl:NewTermination", "</rl:NewTermination").replaceAll(".*>", ""));
    assertFalse(now.isBefore(before));
    assertTrue(time.isAfter(now.plusSeconds(27 * 86_400L)) && time.isBefore(now.plusSeconds(32 * 86_400L)));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "<rl:RequestedTerminationTime>2001-01-01T00:00:00Z</rl:RequestedTerminationTime>",
      "<rl:RequestedLifetimeDuration>-PT1S</rl:RequestedLifetimeDuration>",
      "<rl:RequestedTerminationTime>999999999999-01-01T00:00:00Z</rl:RequestedTerminationTime>",
      "<rl:RequestedLifetimeDuration>P99999999999999999Y</rl:RequestedLifetimeDuration>",
      "<rl:RequestedLifetimeDuration>P9000Y</rl:RequestedLifetimeDuration>",
      "<rl:RequestedLifetimeDuration>PT0S</rl:RequestedLifetimeDuration>",
      "<rl:RequestedTerminationTime>2087-06-05T04:03Z</rl:RequestedTerminationTime>",
      "<rl:RequestedTerminationTime xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='1'>2087-06-05T04:03:02Z"
          + "</rl:RequestedTerminationTime>"})
  void impossibleTimeIsRejected(String requested) {
    String id = Wsrf.create(site);
    fault(setTerminationTime(id, requested), "TerminationTimeChangeRejectedFault");
    assertTrue(terminationTime(id).contains("xsi:nil=\"true\""));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "", "<rl:RequestedTerminationTime>tomorrow</rl:RequestedTerminationTime>",
      "<rl:RequestedTerminationTime>PT1S</rl:RequestedTerminationTime>",
      "<rl:RequestedLifetimeDuration>2087-06-05T04:03:02Z</rl:RequestedLifetimeDuration>",
      "<rl:RequestedLifetimeDuration>P99999999999999999Y</rl:RequestedLifetimeDuration>",
      "<rl:RequestedLifetimeDuration>PT1S</rl:RequestedLifetimeDuration><rl:RequestedTerminationTime/>"})
  void invalidTimeIsRefused(String requested) {
    Answer answer = setTerminationTime(Wsrf.create(site), requested);
    assertEquals(500, answer.status());
    assertTrue(answer.text().contains("<faultcode>soap:Client</faultcode>"), answer.text());
  }

  @Test
  void resourceEndsAtItsTerminationTime() {
    String kept = Wsrf.create(site);
    String id = lamp(null, "<n:createFor xmlns:n=\"urn:lamps\"><millis>300</millis></n:createFor>")
        .between("<return>", "</return>");
    String other = Wsrf.create(site);
    setTerminationTime(other, "<rl:RequestedLifetimeDuration>PT0.2S</rl:RequestedLifetimeDuration>");
    Condition.await(() -> !isThere(id) && !isThere(other));
    fault(lamp(id, Wsrf.rp("GetResourceProperty", "l:Level")), "ResourceUnknownFault");
    assertTrue(isThere(kept));
  }

  @Test
  void newPrimaryKeepsPropertiesAndEndsDueResources() throws Exception {
    String kept = Wsrf.create(site);
    Wsrf.set(site, site.nextServer(), kept, "<rp:Update><l:Owner>me</l:Owner><l:Tag>a</l:Tag></rp:Update>");
    setTerminationTime(kept, "<rl:RequestedTerminationTime>2087-06-05T04:03:02Z</rl:RequestedTerminationTime>");
    String ending = Wsrf.create(site);
    setTerminationTime(ending, "<rl:RequestedLifetimeDuration>PT3S</rl:RequestedLifetimeDuration>");
    assertTrue(isThere(ending));
    site.stop(site.primary());
    assertTrue(Wsrf.get(site, site.nextServer(), kept, "l:Owner").contains(">me<"));
    assertTrue(Wsrf.get(site, site.nextServer(), kept, "l:Tag").contains(">a<"));
    assertTrue(terminationTime(kept).contains(">2087-06-05T04:03:02Z<"));
    Condition.await(() -> !isThere(ending));
    assertTrue(isThere(kept));
  }

  @Test
  void aServiceThatDestroysItsResourceForgetsItsTime() {
    String id = Wsrf.create(site);
    setTerminationTime(id, "<rl:RequestedLifetimeDuration>PT1H</rl:RequestedLifetimeDuration>");
    assertEquals(200, lamp(id, "<n:remove xmlns:n=\"urn:lamps\"/>").status());
    fault(lamp(id, Wsrf.rl("Destroy", "")), "ResourceUnknownFault");
  }

  @Test
  void aServicesOwnOperationOnAnUnknownResourceHasTheFaultOfTheStandard() {
    for (String soap : new String[] {Soap.SOAP11, Soap.SOAP12}) {
      String envelope =
          Soap.envelope(soap, Soap.messageId("urn:" + soap), "<n:brighten xmlns:n=\"urn:lamps\"><by>1</by></n:brighten>");
      Answer answer = site.post(
          site.nextServer(), "/services/LampService/0123", envelope.getBytes(StandardCharsets.UTF_8),
          soap.equals(Soap.SOAP11) ? "text/xml" : "application/soap+xml");
      assertEquals(500, answer.status(), answer.text());
      assertTrue(answer.text().contains("ResourceUnknownFault xmlns:f=\"http://docs.oasis-open.org/wsrf/r-2\""),
          answer.text());
      assertTrue(answer.text().contains(">http://docs.oasis-open.org/wsrf/fault</wsa:Action>"), answer.text());
    }
  }

  @Test
  void backupForwardsRequestsThatItDoesNotServe() {
    String id = Wsrf.create(site);
    Answer read = Wsrf.lamp(site, site.backup(), id, Wsrf.rp("GetResourceProperty", "l:Level"));
    assertTrue(read.body().contains(">0<"), read.text());
    assertEquals(200, Wsrf.lamp(site, site.backup(), id, Wsrf.rl("Destroy", "")).status());
    assertFalse(isThere(id));
  }

  @Test
  void whatIsOneWithItsServiceDoesNotEnd() throws Exception {
    try (ServiceCluster notebook = ServiceCluster.shared(NotebookService.class, 1, Map.of())) {
      for (String[] request : new String[][] {
          {Wsrf.rl("Destroy", ""), "ResourceNotDestroyedFault"},
          {Wsrf.rl("SetTerminationTime", "<rl:RequestedLifetimeDuration>PT1S</rl:RequestedLifetimeDuration>"),
              "UnableToSetTerminationTimeFault"}}) {
        Answer answer = notebook.post(
            1, notebook.service(), Soap.envelope("", request[0]).getBytes(StandardCharsets.UTF_8), "text/xml");
        fault(answer, request[1]);
      }
    }
  }
}
