package org.understudy.wsrf.property;

import java.time.Instant;
import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.notification.xpath.XPathExpression;
import org.understudy.wsrf.contract.Property;
import org.understudy.wsrf.resource.ResourceTransaction;

/** The query dialects that a resource supports (WS-ResourceProperties 1.2, QueryExpressionDialect). */
final class QueryDialects implements PropertySource {
  private static final QName DIALECT = PropertyOperations.element("QueryExpressionDialect");

  @Override
  public List<QName> names() {
    return List.of(DIALECT);
  }

  @Override
  public Property describe(QName name) {
    return new Property(name, null, true, true);
  }

  @Override
  public void append(QName name, ResourceTransaction transaction, Instant now, StringBuilder to) {
    to.append("<rp:QueryExpressionDialect xmlns:rp=\"").append(PropertyOperations.NAMESPACE).append("\">");
    to.append(XPathExpression.DIALECT).append("</rp:QueryExpressionDialect>");
  }
}
