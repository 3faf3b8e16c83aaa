package org.understudy.notification.xpath;

import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.NamespaceContext;
import org.jaxen.JaxenException;
import org.jaxen.expr.DefaultXPathFactory;
import org.jaxen.expr.Expr;
import org.jaxen.expr.FilterExpr;
import org.jaxen.expr.FunctionCallExpr;
import org.jaxen.expr.LocationPath;
import org.jaxen.expr.Step;
import org.jaxen.expr.UnionExpr;
import org.jaxen.expr.VariableReferenceExpr;

/** Creates the parts of one expression, and refuses errors that Jaxen would detect only during evaluation. For one parse. */
final class CheckedFactory extends DefaultXPathFactory {
  private final NamespaceContext prefixes;
  private final List<FunctionCallExpr> calls = new ArrayList<>();

  CheckedFactory(NamespaceContext prefixes) {
    this.prefixes = prefixes;
  }

  /** Called after the parse, when the arguments are known. */
  void checkCalls() throws JaxenException {
    for (FunctionCallExpr call : calls) {
      if (!CoreFunctions.takes(call.getFunctionName(), call.getParameters().size())) {
        throw new JaxenException("The function " + call.getFunctionName() + "() does not take "
            + call.getParameters().size() + " arguments.");
      }
    }
  }

  @Override
  public LocationPath createRelativeLocationPath() {
    return new OrderedPath(false);
  }

  @Override
  public LocationPath createAbsoluteLocationPath() {
    return new OrderedPath(true);
  }

  @Override
  public UnionExpr createUnionExpr(Expr left, Expr right) {
    return new OrderedUnion(left, right);
  }

  @Override
  public FilterExpr createFilterExpr(Expr expression) throws JaxenException {
    return new OrderedFilter(expression, createPredicateSet());
  }

  @Override
  public FunctionCallExpr createFunctionCallExpr(String prefix, String name) throws JaxenException {
    if (prefix != null && !prefix.isEmpty() || !CoreFunctions.contains(name)) {
      throw new JaxenException("Unknown function " + name + "(): it is not in the core library of XPath 1.0.");
    }
    FunctionCallExpr call = super.createFunctionCallExpr(prefix, name);
    calls.add(call);
    return call;
  }

  @Override
  public Step createNameStep(int axis, String prefix, String name) throws JaxenException {
    if (prefix != null && !prefix.isEmpty() && prefixes.getNamespaceURI(prefix).isEmpty()) {
      throw new JaxenException("The prefix '" + prefix + "' is not declared.");
    }
    return super.createNameStep(axis, prefix, name);
  }

  @Override
  public VariableReferenceExpr createVariableReferenceExpr(String prefix, String name) throws JaxenException {
    throw new JaxenException("Variables are not supported: '$" + name + "'.");
  }
}
