package org.understudy.notification.operation;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamWriter2;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.filter.SubscriptionFilter;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.topic.TopicDialect;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.topic.TopicSet;

/** Resource property documents of producers and subscriptions. */
public final class PropertyDocuments {
  private static final String WSRF_RL = "http://docs.oasis-open.org/wsrf/rl-2";

  private PropertyDocuments() {}

  /**
   * {@code wsnt:SubscriptionManagerRP} (WS-BaseNotification 1.3, section 6), and behind it the properties of
   * WS-ResourceLifetime 1.2, section 5: {@code wsrf-rl:CurrentTime} and {@code wsrf-rl:TerminationTime}.
   */
  public static byte[] of(Subscription subscription, Instant now) {
    return Answers.element("SubscriptionManagerRP", out -> {
      Optional<String> consumer = subscription.consumer().written();
      if (consumer.isPresent()) {
        out.writeRaw(consumer.get());
      } else {
        Answers.reference(out, "ConsumerReference", subscription.consumer());
      }
      if (!subscription.filters().isEmpty()) {
        out.writeStartElement("wsnt", "Filter", Answers.WSNT);
        for (SubscriptionFilter filter : subscription.filters()) {
          expression(out, filter.element().getLocalPart(), filter.source());
        }
        out.writeEndElement();
      }
      if (subscription.raw()) {
        out.writeStartElement("wsnt", "SubscriptionPolicy", Answers.WSNT);
        out.writeEmptyElement("wsnt", "UseRaw", Answers.WSNT);
        out.writeEndElement();
      }
      Answers.text(out, "CreationTime", Answers.dateTime(subscription.created()));
      out.writeStartElement("wsrf-rl", "CurrentTime", WSRF_RL);
      out.writeNamespace("wsrf-rl", WSRF_RL);
      out.writeCharacters(Answers.dateTime(now));
      out.writeEndElement();
      out.writeStartElement("wsrf-rl", "TerminationTime", WSRF_RL);
      out.writeNamespace("wsrf-rl", WSRF_RL);
      Answers.timeOrNil(out, subscription.termination());
      out.writeEndElement();
    });
  }

  /**
   * {@code wsnt:NotificationProducerRP} (WS-BaseNotification 1.3, section 4.1): an expression for each topic, whether the
   * topic set is fixed, the dialects spoken, the topic set.
   */
  public static byte[] of(TopicSet topics) {
    return Answers.element("NotificationProducerRP", out -> {
      for (TopicPath topic : topics.topics()) {
        expression(out, "TopicExpression", topic.expression());
      }
      Answers.text(out, "FixedTopicSet", Boolean.toString(topics.fixed()));
      for (TopicDialect dialect : TopicDialect.values()) {
        Answers.text(out, "TopicExpressionDialect", dialect.uri());
      }
      topics.writeTo(out);
    });
  }

  private static void expression(XMLStreamWriter2 out, String name, Expression source) throws XMLStreamException {
    // Without a prefix: the expression's own may be any.
    out.writeStartElement("", name, Answers.WSNT);
    out.writeDefaultNamespace(Answers.WSNT);
    for (Map.Entry<String, String> prefix : new TreeMap<>(source.namespaces()).entrySet()) {
      out.writeNamespace(prefix.getKey(), prefix.getValue());
    }
    out.writeAttribute("Dialect", source.dialect());
    out.writeCharacters(source.text());
    out.writeEndElement();
  }
}
