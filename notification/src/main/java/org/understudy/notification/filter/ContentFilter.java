package org.understudy.notification.filter;

import org.understudy.notification.message.Notification;
import org.understudy.notification.xpath.XPathException;

/** A filter that has to look into documents. Costs up to a tenth of a second: never to be judged by a thread in a hurry. */
public sealed interface ContentFilter extends SubscriptionFilter permits MessageContentFilter, ProducerPropertiesFilter {
  /**
   * Whether the message passes.
   *
   * @throws XPathException when that cannot be evaluated: the budget was used up, the document is too large, or an
   *     operand has the wrong type
   */
  boolean accepts(Notification notification) throws XPathException;
}
