package org.understudy.notification.xpath;

import java.util.ArrayList;
import java.util.List;
import org.jaxen.Context;
import org.jaxen.JaxenException;
import org.jaxen.expr.DefaultFilterExpr;
import org.jaxen.expr.Expr;
import org.jaxen.expr.Predicate;
import org.jaxen.expr.PredicateSet;

/** An expression with predicates (XPath 1.0, section 3.3), charged like those of a step. */
final class OrderedFilter extends DefaultFilterExpr {
  private static final long serialVersionUID = 1L;

  OrderedFilter(Expr expression, PredicateSet predicates) {
    super(expression, predicates);
  }

  @Override
  public Object evaluate(Context context) throws JaxenException {
    Object result = getExpr().evaluate(context);
    if (!(result instanceof List<?> found)) {
      throw new JaxenException("Only node-sets can be filtered.");
    }
    List<Object> nodes = new ArrayList<>(found);
    for (Object predicate : getPredicates()) {
      nodes = OrderedPath.filter((Predicate) predicate, nodes, context.getContextSupport());
    }
    return nodes;
  }
}
