package org.understudy.notification.operation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.filter.SubscriptionFilter;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.topic.TopicDialect;
import org.understudy.notification.topic.TopicNamespace;
import org.understudy.notification.topic.TopicSet;
import org.understudy.soap.addressing.EndpointReference;

class PropertyDocumentsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void subscriptionDocumentShowsTheRequest() throws Exception {
    Subscription subscription = new Subscription(
        "1", "", new EndpointReference(URI.create("http://h/s?a&b"), List.of("<k/>")),
        List.of(SubscriptionFilter.of(SubscriptionFilter.TOPIC_EXPRESSION,
            new Expression(TopicDialect.FULL.uri(), "wsnt:a//.", Map.of("wsnt", "urn:mine")))),
        true, false, 0, NOW, Optional.empty());
    assertEquals(
        "<wsnt:SubscriptionManagerRP xmlns:wsnt=\"http://docs.oasis-open.org/wsn/b-2\""
            + " xmlns:wsa=\"http://www.w3.org/2005/08/addressing\"><wsnt:ConsumerReference>"
            + "<wsa:Address>http://h/s?a&amp;b</wsa:Address><wsa:ReferenceParameters><k/></wsa:ReferenceParameters>"
            + "</wsnt:ConsumerReference><wsnt:Filter><TopicExpression xmlns=\"http://docs.oasis-open.org/wsn/b-2\""
            + " xmlns:wsnt=\"urn:mine\" Dialect=\"http://docs.oasis-open.org/wsn/t-1/TopicExpression/Full\">wsnt:a//."
            + "</TopicExpression></wsnt:Filter><wsnt:SubscriptionPolicy><wsnt:UseRaw/></wsnt:SubscriptionPolicy>"
            + "<wsnt:CreationTime>2026-01-01T00:00:00Z</wsnt:CreationTime>"
            + "<wsrf-rl:CurrentTime xmlns:wsrf-rl=\"http://docs.oasis-open.org/wsrf/rl-2\">2026-01-01T00:01:00Z"
            + "</wsrf-rl:CurrentTime><wsrf-rl:TerminationTime xmlns:wsrf-rl=\"http://docs.oasis-open.org/wsrf/rl-2\""
            + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"/></wsnt:SubscriptionManagerRP>",
        new String(PropertyDocuments.of(subscription, NOW.plusSeconds(60)), UTF_8));
  }

  @Test
  void producerDocumentShowsItsTopics() {
    TopicNamespace namespace = new TopicNamespace("urn:s");
    namespace.add("a/b");
    String dialects = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/";
    assertEquals(
        "<wsnt:NotificationProducerRP xmlns:wsnt=\"http://docs.oasis-open.org/wsn/b-2\""
            + " xmlns:wsa=\"http://www.w3.org/2005/08/addressing\">"
            + "<TopicExpression xmlns=\"http://docs.oasis-open.org/wsn/b-2\" xmlns:t0=\"urn:s\" Dialect=\"" + dialects
            + "Concrete\">t0:a/b</TopicExpression><wsnt:FixedTopicSet>true</wsnt:FixedTopicSet>"
            + "<wsnt:TopicExpressionDialect>" + dialects + "Simple</wsnt:TopicExpressionDialect>"
            + "<wsnt:TopicExpressionDialect>" + dialects + "Concrete</wsnt:TopicExpressionDialect>"
            + "<wsnt:TopicExpressionDialect>" + dialects + "Full</wsnt:TopicExpressionDialect>"
            + "<wsnt:TopicExpressionDialect>http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet"
            + "</wsnt:TopicExpressionDialect>"
            + "<wstop:TopicSet xmlns:wstop=\"http://docs.oasis-open.org/wsn/t-1\"><t0:a xmlns:t0=\"urn:s\">"
            + "<b wstop:topic=\"true\"/></t0:a></wstop:TopicSet></wsnt:NotificationProducerRP>",
        new String(PropertyDocuments.of(TopicSet.of(namespace)), UTF_8));
  }
}
