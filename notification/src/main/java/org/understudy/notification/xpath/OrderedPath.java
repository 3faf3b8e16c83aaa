package org.understudy.notification.xpath;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jaxen.Context;
import org.jaxen.ContextSupport;
import org.jaxen.JaxenException;
import org.jaxen.expr.Expr;
import org.jaxen.expr.LocationPath;
import org.jaxen.expr.Predicate;
import org.jaxen.expr.Step;
import org.jaxen.function.BooleanFunction;

/**
 * A location path (XPath 1.0, section 2). Unlike Jaxen's, it filters the nodes of each context node separately, as the
 * section requires, and sorts by number. Charges the budget for every predicate too.
 */
final class OrderedPath implements LocationPath {
  private static final long serialVersionUID = 1L;

  private final boolean absolute;
  private final transient List<Step> steps = new ArrayList<>();

  OrderedPath(boolean absolute) {
    this.absolute = absolute;
  }

  @Override
  public void addStep(Step step) {
    steps.add(step);
  }

  @Override
  public List<Step> getSteps() {
    return steps;
  }

  @Override
  public boolean isAbsolute() {
    return absolute;
  }

  @Override
  public String getText() {
    StringBuilder text = new StringBuilder(absolute ? "/" : "");
    for (int i = 0; i < steps.size(); i++) {
      text.append(i == 0 ? "" : "/").append(steps.get(i).getText());
    }
    return text.toString();
  }

  @Override
  public Expr simplify() {
    steps.forEach(Step::simplify);
    return this;
  }

  @Override
  public Object evaluate(Context context) throws JaxenException {
    ContextSupport support = context.getContextSupport();
    List<Object> nodes = new ArrayList<>();
    if (!absolute) {
      for (Object node : context.getNodeSet()) {
        nodes.add(node);
      }
    } else if (!context.getNodeSet().isEmpty()) {
      nodes.add(support.getNavigator().getDocumentNode(context.getNodeSet().get(0)));
    }
    for (Step step : steps) {
      nodes = take(step, nodes, support);
    }
    return steps.isEmpty() ? nodes : DocumentOrder.sort(nodes);
  }

  private static List<Object> take(Step step, List<Object> from, ContextSupport support) throws JaxenException {
    List<Object> reached = new ArrayList<>();
    Set<Object> unique = from.size() > 1 ? DocumentOrder.newSet() : null;
    for (Object node : from) {
      List<Object> selected = new ArrayList<>();
      Iterator<?> axis = step.axisIterator(node, support);
      while (axis.hasNext()) {
        Object candidate = axis.next();
        if (step.matches(candidate, support)) {
          selected.add(candidate);
        }
      }
      for (Object predicate : step.getPredicates()) {
        selected = filter((Predicate) predicate, selected, support);
      }
      for (Object next : selected) {
        if (unique == null || unique.add(next)) {
          reached.add(next);
        }
      }
    }
    return reached;
  }

  /** The nodes that pass a predicate (section 2.4), in the order of the axis. */
  static List<Object> filter(Predicate predicate, List<Object> nodes, ContextSupport support) throws JaxenException {
    Budget budget = ((TreeNavigator) support.getNavigator()).budget();
    List<Object> passed = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      budget.step();
      Context context = new Context(support);
      context.setNodeSet(List.of(nodes.get(i)));
      context.setPosition(i + 1);
      context.setSize(nodes.size());
      Object result = predicate.evaluate(context);
      boolean passes = result instanceof Number number
          ? number.doubleValue() == i + 1
          : BooleanFunction.evaluate(result, support.getNavigator());
      if (passes) {
        passed.add(nodes.get(i));
      }
    }
    return passed;
  }
}
