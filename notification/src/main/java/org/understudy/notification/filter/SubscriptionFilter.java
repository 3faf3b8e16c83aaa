package org.understudy.notification.filter;

import javax.xml.namespace.QName;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.message.NotifyNames;
import org.understudy.notification.topic.TopicDialect;
import org.understudy.notification.xpath.XPathException;
import org.understudy.notification.xpath.XPathExpression;

/**
 * One condition on messages (WS-BaseNotification 1.3, section 4.2, {@code wsnt:Filter}). A message reaches the consumer
 * when every filter accepts it. Immutable.
 */
public sealed interface SubscriptionFilter permits TopicFilter, ContentFilter {
  /** {@code wsnt:TopicExpression}. */
  QName TOPIC_EXPRESSION = new QName(NotifyNames.NAMESPACE, "TopicExpression", "wsnt");
  /** {@code wsnt:ProducerProperties}. */
  QName PRODUCER_PROPERTIES = new QName(NotifyNames.NAMESPACE, "ProducerProperties", "wsnt");
  /** {@code wsnt:MessageContent}. */
  QName MESSAGE_CONTENT = new QName(NotifyNames.NAMESPACE, "MessageContent", "wsnt");

  /** The element that declared it. */
  QName element();

  /** The expression as it was written. */
  Expression source();

  /**
   * Creates a filter from its source.
   *
   * @param element one of the three above
   * @throws NotificationFault {@link NotificationFaultType#INVALID_FILTER} for another element, {@link
   *     NotificationFaultType#TOPIC_EXPRESSION_DIALECT_UNKNOWN}, {@link NotificationFaultType#INVALID_TOPIC_EXPRESSION},
   *     {@link NotificationFaultType#INVALID_MESSAGE_CONTENT_EXPRESSION} or {@link
   *     NotificationFaultType#INVALID_PRODUCER_PROPERTIES_EXPRESSION}
   */
  static SubscriptionFilter of(QName element, Expression source) throws NotificationFault {
    if (element.equals(TOPIC_EXPRESSION)) {
      return new TopicFilter(TopicDialect.parseOrFault(source));
    }
    boolean content = element.equals(MESSAGE_CONTENT);
    if (!content && !element.equals(PRODUCER_PROPERTIES)) {
      throw NotificationFault.invalidFilter("Unknown filter: " + element + ".", element);
    }
    NotificationFaultType invalid =
        content
            ? NotificationFaultType.INVALID_MESSAGE_CONTENT_EXPRESSION
            : NotificationFaultType.INVALID_PRODUCER_PROPERTIES_EXPRESSION;
    if (!source.dialect().equals(XPathExpression.DIALECT)) {
      throw NotificationFault.of(
          invalid, "The language of " + element.getLocalPart() + " must be " + XPathExpression.DIALECT + ".");
    }
    try {
      XPathExpression expression = XPathExpression.parse(source);
      return content ? new MessageContentFilter(expression) : new ProducerPropertiesFilter(expression);
    } catch (XPathException e) {
      throw NotificationFault.of(invalid, e.getMessage());
    }
  }
}
