package org.understudy.notification.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.filter.SubscriptionFilter;
import org.understudy.notification.message.Notification;
import org.understudy.notification.subscription.References;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.topic.TopicDialect;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.xpath.XPathExpression;
import org.understudy.soap.addressing.EndpointReference;

@Timeout(120)
class DispatcherTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final TopicPath PRICE = TopicPath.of("urn:s", "price");
  private static final TopicPath VOLUME = TopicPath.of("urn:s", "volume");

  private final Map<String, HeldSink> sinks = new ConcurrentHashMap<>();
  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
  private Dispatcher dispatcher = dispatcher(DeliverySettings.ofDefaults());

  /** References of a replica at an address of its own. */
  record At(String host) implements References {
    @Override
    public EndpointReference producer(String key) {
      return EndpointReference.to(URI.create("http://" + host + "/p/" + key));
    }

    @Override
    public EndpointReference subscription(String id) {
      return EndpointReference.to(URI.create("http://" + host + "/s/" + id));
    }

    @Override
    public EndpointReference pullPoint(String id) {
      return EndpointReference.to(URI.create("http://" + host + "/pp/" + id));
    }
  }

  private Dispatcher dispatcher(DeliverySettings settings) {
    return new Dispatcher(
        settings, Clock.fixed(NOW, ZoneOffset.UTC), new At("a"), producer -> !producer.startsWith("beside"),
        subscription -> Optional.of(sink(subscription.id())),
        (subscription, reason) -> ends.add(subscription.id() + " " + reason));
  }

  private void replace(DeliverySettings settings) {
    dispatcher.close();
    dispatcher = dispatcher(settings);
  }

  @AfterEach
  void close() {
    dispatcher.close();
  }

  private HeldSink sink(String id) {
    return sinks.computeIfAbsent(id, key -> new HeldSink());
  }

  private static Subscription subscription(String id, String producer, long since, SubscriptionFilter... filters) {
    return new Subscription(
        id, producer, EndpointReference.to(URI.create("http://localhost/sink")), List.of(filters), false, false, since,
        NOW, Optional.empty());
  }

  private static SubscriptionFilter topic(String text) throws NotificationFault {
    return SubscriptionFilter.of(
        SubscriptionFilter.TOPIC_EXPRESSION, new Expression(TopicDialect.FULL.uri(), text, Map.of("s", "urn:s")));
  }

  private static SubscriptionFilter content(String text) throws NotificationFault {
    return SubscriptionFilter.of(
        SubscriptionFilter.MESSAGE_CONTENT, new Expression(XPathExpression.DIALECT, text, Map.of()));
  }

  private static SubscriptionFilter properties(String text) throws NotificationFault {
    return SubscriptionFilter.of(
        SubscriptionFilter.PRODUCER_PROPERTIES, new Expression(XPathExpression.DIALECT, text, Map.of()));
  }

  private int publish(String producer, TopicPath topic, long position) {
    return dispatcher.publish(message(producer, topic, position));
  }

  private static Notification message(String producer, TopicPath topic, long position) {
    return new Notification(producer, topic, ("<n>" + position + "</n>").getBytes(UTF_8), position, null);
  }

  private String nextEnd() throws InterruptedException {
    return ends.poll(30, TimeUnit.SECONDS);
  }

  @Test
  void messagesOfAResourceReachItsSubscriptionsAndTheServices() throws Exception {
    dispatcher.put(subscription("own", "r1", 0));
    dispatcher.put(subscription("other", "r2", 0));
    dispatcher.put(subscription("all", "", 0));
    assertEquals(2, publish("r1", PRICE, 1));
    assertEquals(1, publish("", PRICE, 2));
    assertEquals(1, sink("own").take());
    assertEquals(1, sink("all").take());
    assertEquals(2, sink("all").take());
    assertTrue(sink("other").isEmpty());
  }

  /** It takes no place of others meanwhile, and ends no subscription, however often. */
  @Test
  void aPostponedMessageComesAgainAndIsNoFailure() throws Exception {
    replace(DeliverySettings.ofDefaults().withRetries(Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(1)));
    dispatcher.put(subscription("full", "r1", 0));
    publish("r1", PRICE, 1);
    publish("r1", PRICE, 2);
    for (int i = 0; i < 20; i++) {
      HeldSink.Attempt attempt = sink("full").next();
      assertEquals(1, attempt.position());
      attempt.outcome().postponed();
    }
    assertEquals(1, sink("full").take());
    assertEquals(2, sink("full").take());
    assertEquals(0, dispatcher.counters().failedAttempts());
    assertTrue(ends.isEmpty());
  }

  @Test
  void messageCountsAsWaitingUntilItsConsumerAnswers() throws Exception {
    dispatcher.put(subscription("a", "r1", 0));
    assertFalse(dispatcher.waits("a", 7));
    publish("r1", PRICE, 5);
    assertTrue(dispatcher.waits("a", 5));
    assertTrue(dispatcher.waits("a", 7));
    assertFalse(dispatcher.waits("a", 4));
    assertFalse(dispatcher.waits("nobody", 7));
    sink("a").take();
    assertFalse(dispatcher.waits("a", 7));
  }

  @Test
  void wantedTopicsAreKnownBeforePublishing() throws Exception {
    assertFalse(dispatcher.wanted("r1", PRICE));
    dispatcher.put(subscription("a", "r1", 0, topic("s:price")));
    assertTrue(dispatcher.wanted("r1", PRICE));
    assertFalse(dispatcher.wanted("r1", VOLUME));
    dispatcher.put(subscription("late", "r1", 0, topic("s:volume")));
    assertTrue(dispatcher.wanted("r1", VOLUME));
    dispatcher.remove("late");
    assertFalse(dispatcher.wanted("r1", VOLUME));
    assertTrue(dispatcher.wanted("r1", PRICE));
    assertFalse(dispatcher.wanted("r2", PRICE));
    assertFalse(dispatcher.wantsProperties("r1"));
    dispatcher.put(subscription("b", "", 0, topic("s:volume"), properties("true()")));
    assertTrue(dispatcher.wanted("r2", VOLUME));
    assertTrue(dispatcher.wantsProperties("r1"));
    dispatcher.put(subscription("a", "r1", 0, topic("s:price")).pause());
    assertFalse(dispatcher.wanted("r1", PRICE));
    dispatcher.put(subscription("a", "r1", 0, topic("s:price")));
    assertTrue(dispatcher.wanted("r1", PRICE));
    dispatcher.remove("a");
    dispatcher.remove("b");
    assertFalse(dispatcher.wanted("r1", PRICE));
    assertFalse(dispatcher.wantsProperties("r1"));
    assertEquals(0, dispatcher.size());
  }

  @Test
  void messagesAreDeliveredOneByOneInOrder() throws Exception {
    dispatcher.put(subscription("a", "r", 0));
    for (int i = 1; i <= 100; i++) {
      publish("r", PRICE, i);
    }
    for (int i = 1; i <= 100; i++) {
      HeldSink.Attempt attempt = sink("a").next();
      assertEquals(i, attempt.position());
      assertTrue(sink("a").isEmpty(), "the next only when this one was taken");
      attempt.outcome().delivered();
      attempt.outcome().delivered();
    }
    assertThrows(IllegalArgumentException.class, () -> publish("r", PRICE, 100));
  }

  @Test
  void retryHasTheSameContentAndId() throws Exception {
    replace(DeliverySettings.ofDefaults().withRetries(Duration.ofMillis(2), Duration.ofMillis(1), Duration.ofMillis(1)));
    dispatcher.put(subscription("a", "r", 0));
    publish("r", PRICE, 7);
    HeldSink.Attempt first = sink("a").next();
    first.outcome().failed("no", false);
    HeldSink.Attempt second = sink("a").next();
    assertEquals(first.delivery().messageId(), second.delivery().messageId());
    assertEquals(Delivery.messageId("a", 7), second.delivery().messageId());
    assertNotEquals(Delivery.messageId("a", 8), second.delivery().messageId());
    assertNotEquals(Delivery.messageId("b", 7), second.delivery().messageId());
    assertArrayEquals(first.delivery().envelope().get(0), second.delivery().envelope().get(0));
    second.outcome().failed("no", false);
    sink("a").next().outcome().failed("no", false);
    assertEquals("a UNDELIVERABLE", nextEnd());
    assertEquals(0, dispatcher.size());
    assertEquals(new Checkpoint(7, 7, Map.of()), dispatcher.progress());
    assertEquals(0, dispatcher.waitingBytes());
  }

  @Test
  void subscriptionAtTheServiceGetsOnlyItsResources() throws Exception {
    dispatcher.put(subscription("whole", "", 0));
    assertFalse(dispatcher.wanted("beside/1", PRICE));
    publish("beside/1", PRICE, 1);
    dispatcher.put(subscription("own", "beside/1", 0));
    assertTrue(dispatcher.wanted("beside/1", PRICE));
    publish("beside/1", PRICE, 2);
    publish("r", PRICE, 3);
    assertEquals(2, sink("own").take());
    assertEquals(3, sink("whole").take(), "the first that it gets");
  }

  @Test
  void checkpointListsLaggingSubscriptions() throws Exception {
    dispatcher.put(subscription("fast", "r", 0));
    dispatcher.put(subscription("slow", "r", 0));
    dispatcher.put(subscription("none", "r", 0, topic("s:volume")));
    for (int i = 1; i <= 3; i++) {
      publish("r", PRICE, i * 10L);
    }
    for (int i = 1; i <= 3; i++) {
      sink("fast").take();
    }
    HeldSink.Attempt stuck = sink("slow").next();
    assertEquals(new Checkpoint(9, 30, Map.of("slow", 9L)), dispatcher.progress());
    stuck.outcome().delivered();
    sink("slow").next();
    assertEquals(new Checkpoint(19, 30, Map.of("slow", 19L)), dispatcher.progress());
    dispatcher.remove("slow");
    assertEquals(new Checkpoint(30, 30, Map.of()), dispatcher.progress());
  }

  @Test
  void anotherDispatcherContinuesFromTheCheckpoint() throws Exception {
    dispatcher.put(subscription("fast", "r", 0));
    dispatcher.put(subscription("slow", "r", 0));
    for (int i = 1; i <= 3; i++) {
      publish("r", PRICE, i);
    }
    for (int i = 1; i <= 3; i++) {
      sink("fast").take();
    }
    assertEquals(1, sink("slow").take());
    sink("slow").next();
    Checkpoint progress = Checkpoint.decode(dispatcher.progress().encode());
    assertEquals(dispatcher.progress(), progress);
    // This replica delivers the second and publishes a fourth, but nobody hears of that any more.
    sinks.clear();
    replace(DeliverySettings.ofDefaults());
    dispatcher.resume(progress);
    dispatcher.put(subscription("fast", "r", 0));
    dispatcher.put(subscription("slow", "r", 0));
    dispatcher.put(subscription("late", "r", 3));
    for (long i = progress.floor() + 1; i <= 4; i++) {
      publish("r", PRICE, i);
    }
    assertEquals(4, sink("fast").take());
    for (long i = 2; i <= 4; i++) {
      assertEquals(i, sink("slow").take());
    }
    assertEquals(4, sink("late").take());
    assertTrue(sink("fast").isEmpty());
    assertThrows(IllegalStateException.class, () -> dispatcher.resume(progress));
  }

  @Test
  void excessLaggardsGetALowerSafePosition() {
    Checkpoint many = new Checkpoint(3, 9, Map.of("a", 3L, "b", 5L));
    assertEquals(many, many.atMost(2));
    assertEquals(new Checkpoint(3, 5, Map.of("a", 3L)), many.atMost(1));
    Checkpoint alike = new Checkpoint(3, 9, Map.of("a", 3L, "b", 3L, "c", 8L));
    assertEquals(new Checkpoint(3, 3, Map.of()), alike.atMost(1));
    assertEquals(new Checkpoint(3, 8, Map.of("a", 3L, "b", 3L)), alike.atMost(2));
    assertEquals(9, many.of("c"));
    assertThrows(IllegalArgumentException.class, () -> Checkpoint.decode(new byte[3]));
  }

  @Test
  void pausedSubscriptionDropsItsQueue() throws Exception {
    dispatcher.put(subscription("a", "r", 0));
    publish("r", PRICE, 1);
    publish("r", PRICE, 2);
    HeldSink.Attempt underWay = sink("a").next();
    dispatcher.put(subscription("a", "r", 0).pause());
    assertEquals(0, publish("r", PRICE, 3));
    underWay.outcome().delivered();
    dispatcher.put(subscription("a", "r", 3));
    publish("r", PRICE, 4);
    assertEquals(4, sink("a").take());
    assertEquals(new Checkpoint(4, 4, Map.of()), dispatcher.progress());
  }

  @Test
  void expiredSubscriptionReceivesNothing() {
    dispatcher.put(subscription("a", "r", 0).until(Optional.of(NOW)));
    assertEquals(0, publish("r", PRICE, 1));
  }

  @Test
  void contentFiltersKeepTheOrder() throws Exception {
    dispatcher.put(subscription("odd", "r", 0, content("/n mod 2 = 1")));
    for (int i = 1; i <= 9; i++) {
      publish("r", PRICE, i);
    }
    for (int i = 1; i <= 9; i += 2) {
      assertEquals(i, sink("odd").take());
    }
    assertEquals(new Checkpoint(9, 9, Map.of()), dispatcher.progress());
  }

  @Test
  void propertiesFilterEvaluatesTheAttachedDocument() throws Exception {
    dispatcher.put(subscription("hot", "r", 0, properties("/p/t > 30")));
    dispatcher.publish(new Notification("r", PRICE, "<n/>".getBytes(UTF_8), 1, "<p><t>30</t></p>".getBytes(UTF_8)));
    dispatcher.publish(new Notification("r", PRICE, "<n/>".getBytes(UTF_8), 2, null));
    dispatcher.publish(new Notification("r", PRICE, "<n/>".getBytes(UTF_8), 3, "<p><t>31</t></p>".getBytes(UTF_8)));
    assertEquals(3, sink("hot").take());
  }

  @Test
  void stalledConsumersDoNotExhaustTheWindow() throws Exception {
    replace(DeliverySettings.ofDefaults().withWindow(2, Duration.ofMillis(1)));
    for (int i = 0; i < 20; i++) {
      dispatcher.put(subscription("stuck" + i, "r", 0));
    }
    dispatcher.put(subscription("healthy", "r", 0));
    publish("r", PRICE, 1);
    assertEquals(1, sink("healthy").take());
    for (int i = 0; i < 20; i++) {
      assertEquals(1, sink("stuck" + i).take());
    }
  }

  @Test
  void totalLimitEndsLaggingSubscriptions() throws Exception {
    replace(DeliverySettings.ofDefaults().withQueues(1_000, 1_000, 20));
    dispatcher.put(subscription("slow", "r", 0));
    dispatcher.put(subscription("healthy", "r", 0));
    for (int i = 1; i <= 5; i++) {
      publish("r", PRICE, i);
      assertEquals(i, sink("healthy").take());
    }
    assertEquals("slow OVERFLOW", nextEnd());
    assertEquals(1, dispatcher.size());
  }

  @Test
  void throwingSinkEndsOnlyItsSubscription() throws Exception {
    dispatcher.close();
    dispatcher = new Dispatcher(
        DeliverySettings.ofDefaults(), Clock.fixed(NOW, ZoneOffset.UTC), new At("a"), producer -> true,
        subscription -> Optional.of(subscription.id().equals("bad")
            ? (delivery, outcome) -> {
              throw new IllegalStateException("broken on purpose");
            }
            : sink(subscription.id())),
        (subscription, reason) -> ends.add(subscription.id() + " " + reason));
    dispatcher.put(subscription("bad", "r", 0));
    dispatcher.put(subscription("good", "r", 0));
    publish("r", PRICE, 1);
    assertEquals(1, sink("good").take());
    assertEquals("bad UNDELIVERABLE", nextEnd());
  }
}
