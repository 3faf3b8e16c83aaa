package org.understudy.notification.filter;

import org.understudy.notification.message.Notification;
import org.understudy.notification.xpath.XPathException;

/** A filter on the content of documents. Evaluation can take a tenth of a second, so it runs on threads of its own. */
public sealed interface ContentFilter extends SubscriptionFilter permits MessageContentFilter, ProducerPropertiesFilter {
  /**
   * Whether the message passes.
   *
   * @throws XPathException when it cannot be evaluated: the budget was exceeded, the document is too large, or an operand
   *     has the wrong type
   */
  boolean accepts(Notification notification) throws XPathException;
}
