package org.understudy.wsrf.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;

/** What docs/conformance.md claims of a producer and of its subscriptions, where no other test shows it. */
class ProducerConformanceTest {
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116";
  private static final String TOPIC = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/";

  @TempDir Path directory;

  private Consumer consumer;
  private ServiceCluster site;
  private String id;

  @BeforeEach
  void open() throws Exception {
    consumer = new Consumer();
    site = ServiceCluster.shared(LampService.class, 1, Map.of());
    id = Wsrf.create(site);
  }

  @AfterEach
  void close() throws Exception {
    site.close();
    consumer.close();
  }

  private static String topic(String expression) {
    return "<w:TopicExpression Dialect='" + TOPIC + "Full' xmlns:l='urn:lamps'"
        + " xmlns:rl='http://docs.oasis-open.org/wsrf/rl-2'>" + expression + "</w:TopicExpression>";
  }

  private static String content(String expression) {
    return "<w:MessageContent Dialect='" + XPATH + "'>" + expression + "</w:MessageContent>";
  }

  private Answer subscribe(Consumer to, String filters) {
    Answer answer = Wsrf.lamp(
        site, 1, id,
        "<w:Subscribe xmlns:w='" + WSNT + "'><w:ConsumerReference><a:Address"
            + " xmlns:a='http://www.w3.org/2005/08/addressing'>" + to.address()
            + "</a:Address></w:ConsumerReference><w:Filter>" + filters + "</w:Filter></w:Subscribe>");
    assertEquals(200, answer.status(), answer.text());
    return answer;
  }

  private static String manager(Answer subscribed) {
    Matcher address = Pattern.compile("Address>[^<]*/app(/[^<]*)<").matcher(subscribed.text());
    assertTrue(address.find(), subscribed.text());
    return address.group(1);
  }

  private void set(String components) {
    Answer answer = Wsrf.set(site, 1, id, components);
    assertEquals(200, answer.status(), answer.text());
  }

  @Test
  void everyFilterMustAcceptAMessage() throws Exception {
    // At a shared one, messages to consumers of other tests that are gone by now are kept for minutes.
    site.close();
    site = new ServiceCluster(directory, LampService.class, 1, Map.of());
    id = Wsrf.create(site);
    try (Consumer never = new Consumer()) {
      subscribe(never, topic("l:Level") + content("false()"));
      subscribe(never, topic("l:Owner") + content("true()"));
      subscribe(consumer, topic("l:Level") + content("true()"));
      set("<rp:Update><l:Level>3</l:Level></rp:Update>");
      Condition.await(() -> consumer.levels().equals(List.of(3)));
      // DeliveryScheduler run side by side: what was wanted is known once nothing is kept for anybody.
      Condition.await(() -> site.health(1, "live").body().contains("\"messagesKept\":0,"));
      assertEquals(List.of(), never.heard());
    }
  }

  @Test
  void removedValueIsNilAndEachPropertyHasItsMessage() {
    set("<rp:Update><l:Owner>me</l:Owner></rp:Update>");
    subscribe(consumer, topic("l:Owner|l:Level"));
    set("<rp:Delete ResourceProperty=\"l:Owner\"/><rp:Update><l:Level>5</l:Level></rp:Update>");
    Condition.await(() -> consumer.heard().size() == 2);
    String owner = consumer.heard().stream().filter(text -> text.contains(":Owner<")).findFirst().orElseThrow();
    assertTrue(owner.contains(">me<"), owner);
    assertTrue(owner.matches("(?s).*:NewValues [^>]*:nil=\"true\"/>.*"), owner);
    assertFalse(owner.contains(">5<"), owner);
    assertEquals(List.of(5), consumer.levels());
  }

  @Test
  void everyKindOfEndIsNotified() throws Exception {
    String destroyed = id;
    subscribe(consumer, topic("rl:ResourceTermination"));
    assertEquals(200, Wsrf.lamp(site, 1, destroyed, Wsrf.rl("Destroy", "")).status());
    Condition.await(() -> consumer.heard().size() == 1);
    assertTrue(consumer.heard().get(0).contains("TerminationNotification"), consumer.heard().toString());
    assertTrue(consumer.heard().get(0).contains("TerminationTime"), consumer.heard().toString());
    id = Wsrf.create(site);
    subscribe(consumer, topic("rl:ResourceTermination"));
    Wsrf.lamp(site, 1, id,
        Wsrf.rl("SetTerminationTime", "<rl:RequestedLifetimeDuration>PT0.2S</rl:RequestedLifetimeDuration>"));
    Condition.await(() -> consumer.heard().size() == 2);
    assertTrue(consumer.heard().get(1).contains("TerminationNotification"), consumer.heard().toString());
  }

  @Test
  void aProducersPropertiesAreReadAsAnyOthers() {
    for (String[] property : new String[][] {
        {"TopicExpressionDialect", TOPIC + "Full<"}, {"FixedTopicSet", ">true<"},
        {"TopicExpression", "Level"}, {"TopicSet", "Level"}}) {
      String wsn = property[0].equals("TopicSet") ? "http://docs.oasis-open.org/wsn/t-1" : WSNT;
      String answer = Wsrf.lamp(site, 1, id, "<r:GetResourceProperty"
          + " xmlns:r='http://docs.oasis-open.org/wsrf/rp-2' xmlns:x='" + wsn + "'>x:" + property[0]
          + "</r:GetResourceProperty>").text();
      assertTrue(answer.contains(property[1]), answer);
    }
  }

  @Test
  void aSubscriptionLivesAndEndsAsAnyResource() {
    Answer subscribed = subscribe(consumer, topic("l:Level"));
    String manager = manager(subscribed);
    String time = "<rl:RequestedTerminationTime>2087-06-05T04:03:02Z</rl:RequestedTerminationTime>";
    Answer set = Wsrf.post(site, 1, manager, Wsrf.rl("SetTerminationTime", time));
    assertTrue(set.text().contains("2087-06-05T04:03:02"), set.text());
    assertTrue(set.text().contains("CurrentTime"), set.text());
    String times = Wsrf.post(site, 1, manager, Wsrf.rp("GetResourceProperty", "rl:TerminationTime")).text();
    assertTrue(times.contains("2087-06-05T04:03:02"), times);
    assertEquals(200, Wsrf.post(site, 1, manager, Wsrf.rl("Destroy", "")).status());
    assertTrue(Wsrf.post(site, 1, manager, Wsrf.rl("Destroy", "")).text().contains("ResourceUnknownFault"));
  }

  @Test
  void renewalReturnsBothTimesAndNilMeansNever() {
    String manager = manager(subscribe(consumer, topic("l:Level")));
    String renewed = Wsrf.post(site, 1, manager, "<w:Renew xmlns:w='" + WSNT
        + "' xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><w:TerminationTime i:nil='true'/></w:Renew>").text();
    assertTrue(renewed.matches("(?s).*:TerminationTime [^>]*:nil=\"true\".*"), renewed);
    assertTrue(renewed.contains("CurrentTime>20"), renewed);
  }
}
