package org.understudy.notification.filter;

import javax.xml.namespace.QName;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.message.Notification;
import org.understudy.notification.xpath.XPathException;
import org.understudy.notification.xpath.XPathExpression;

/**
 * Accepts messages for which an expression is true ({@code wsnt:MessageContent}). Its context is the root above the element
 * inside {@code wsnt:Message}.
 *
 * @param expression the expression; its result is converted to a boolean
 */
public record MessageContentFilter(XPathExpression expression) implements ContentFilter {
  @Override
  public QName element() {
    return MESSAGE_CONTENT;
  }

  @Override
  public Expression source() {
    return expression.source();
  }

  @Override
  public boolean accepts(Notification notification) throws XPathException {
    return expression.evaluate(notification.content().root(), XPathExpression.DEFAULT_BUDGET).asBoolean();
  }
}
