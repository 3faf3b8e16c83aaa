package org.understudy.notification.xpath;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jaxen.Context;
import org.jaxen.JaxenException;
import org.jaxen.expr.Expr;
import org.jaxen.expr.UnionExpr;

/** The union of two node-sets (XPath 1.0, section 3.3), sorted by number. */
final class OrderedUnion implements UnionExpr {
  private static final long serialVersionUID = 1L;

  private Expr left;
  private Expr right;

  OrderedUnion(Expr left, Expr right) {
    this.left = left;
    this.right = right;
  }

  @Override
  public Expr getLHS() {
    return left;
  }

  @Override
  public Expr getRHS() {
    return right;
  }

  @Override
  public String getOperator() {
    return "|";
  }

  @Override
  public String getText() {
    return left.getText() + " | " + right.getText();
  }

  @Override
  public Expr simplify() {
    left = left.simplify();
    right = right.simplify();
    return this;
  }

  @Override
  public Object evaluate(Context context) throws JaxenException {
    Budget budget = ((TreeNavigator) context.getNavigator()).budget();
    Set<Object> unique = DocumentOrder.newSet();
    List<Object> all = new ArrayList<>();
    for (Expr side : List.of(left, right)) {
      if (!(side.evaluate(context) instanceof List<?> nodes)) {
        throw new JaxenException("Only node-sets can be united.");
      }
      for (Object node : nodes) {
        budget.step();
        if (unique.add(node)) {
          all.add(node);
        }
      }
    }
    return DocumentOrder.sort(all);
  }
}
