package org.understudy.notification.filter;

import java.util.Optional;
import javax.xml.namespace.QName;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.message.Notification;
import org.understudy.notification.xpath.XPathException;
import org.understudy.notification.xpath.XPathExpression;
import org.understudy.notification.xpath.XmlTree;

/**
 * Accepts messages sent while an expression was true of the producer's resource properties ({@code
 * wsnt:ProducerProperties}). Its context is the root above the resource property document. Without a document no message
 * passes.
 *
 * @param expression the expression; its result is converted to a boolean
 */
public record ProducerPropertiesFilter(XPathExpression expression) implements ContentFilter {
  @Override
  public QName element() {
    return PRODUCER_PROPERTIES;
  }

  @Override
  public Expression source() {
    return expression.source();
  }

  @Override
  public boolean accepts(Notification notification) throws XPathException {
    Optional<XmlTree> properties = notification.properties();
    return properties.isPresent()
        && expression.evaluate(properties.get().root(), XPathExpression.DEFAULT_BUDGET).asBoolean();
  }
}
