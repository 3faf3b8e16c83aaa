package org.understudy.notification.xpath;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jaxen.Context;
import org.jaxen.ContextSupport;
import org.jaxen.JaxenException;
import org.jaxen.JaxenHandler;
import org.jaxen.JaxenRuntimeException;
import org.jaxen.SimpleVariableContext;
import org.jaxen.expr.XPathExpr;
import org.jaxen.function.StringFunction;
import org.jaxen.saxpath.SAXPathException;
import org.jaxen.saxpath.XPathReader;
import org.jaxen.saxpath.helpers.XPathReaderFactory;
import org.understudy.notification.expression.Expression;

/**
 * A compiled XPath 1.0 expression. Only the core function library, no variables. Immutable and thread-safe.
 *
 * <p>An evaluation has a budget of units: about one for every visited node, every tried predicate and every 16 processed
 * characters, times a weight that grows with the length of the expression. So it ends after the same work on every machine,
 * and an aborted evaluation reports it.
 */
public final class XPathExpression {
  /** The dialect's URI. */
  public static final String DIALECT = "http://www.w3.org/TR/1999/REC-xpath-19991116";
  /** Sufficient for expressions that people write; limits an evaluation to about a tenth of a second. */
  public static final long DEFAULT_BUDGET = 1_000_000;

  private static final int MAX_NESTING = 32;
  private static final int MAX_OPERATORS = 500;
  private static final int CHARS_A_WEIGHT = 16;
  private static final Pattern LITERAL = Pattern.compile("\"[^\"]*\"|'[^']*'");
  private static final Pattern OPERATOR = Pattern.compile("[-+*|=<>,\\[(]|/+|\\b(?:or|and|div|mod)\\b");

  private final Expression source;
  private final XPathExpr compiled;
  private final int weight;

  private XPathExpression(Expression source, XPathExpr compiled) {
    this.source = source;
    this.compiled = compiled;
    this.weight = 1 + source.text().length() / CHARS_A_WEIGHT;
  }

  /**
   * Compiles an expression.
   *
   * @param source its dialect is ignored
   * @throws XPathException when it is not XPath 1.0, uses an unknown function, variable or prefix, or is too deeply nested
   *     (32) or too long (500 operators)
   */
  public static XPathExpression parse(Expression source) throws XPathException {
    checkShape(source.text());
    try {
      XPathReader reader = XPathReaderFactory.createReader();
      JaxenHandler handler = new JaxenHandler();
      CheckedFactory factory = new CheckedFactory(source.scope());
      handler.setXPathFactory(factory);
      reader.setXPathHandler(handler);
      reader.parse(source.text().strip());
      factory.checkCalls();
      return new XPathExpression(source, handler.getXPathExpr());
    } catch (SAXPathException e) {
      throw new XPathException("No XPath 1.0 expression: " + e.getMessage(), false);
    } catch (RuntimeException e) {
      // The parser may throw other exceptions for invalid input.
      throw new XPathException("No XPath 1.0 expression: " + e, false);
    }
  }

  /** As it was written. */
  public Expression source() {
    return source;
  }

  /**
   * Evaluates with a node as the context.
   *
   * @param context usually {@link XmlTree#root()}
   * @param budget units that may be spent, from 0; see above
   * @throws XPathException when the budget does not suffice, or an operand is of a type that the operator does not take
   */
  public XPathResult evaluate(XmlNode context, long budget) throws XPathException {
    TreeNavigator navigator = new TreeNavigator(new Budget(budget, weight));
    ContextSupport support = new ContextSupport(
        prefix -> namespace(prefix), CoreFunctions.INSTANCE, new SimpleVariableContext(), navigator);
    Context start = new Context(support);
    start.setNodeSet(List.of(context));
    try {
      return result(compiled.getRootExpr().evaluate(start), navigator);
    } catch (Budget.SpentException e) {
      throw new XPathException("The evaluation of the expression went over its budget of " + budget + ".", true);
    } catch (JaxenException | JaxenRuntimeException | ClassCastException e) {
      // A cast fails where Jaxen assumes that an operand is a node-set.
      throw new XPathException("The expression cannot be evaluated: " + e.getMessage(), false);
    }
  }

  private String namespace(String prefix) {
    String uri = source.scope().getNamespaceURI(prefix);
    return uri.isEmpty() ? null : uri;
  }

  private static XPathResult result(Object value, TreeNavigator navigator) throws JaxenException {
    if (value instanceof Boolean truth) {
      return new XPathResult.Truth(truth);
    }
    if (value instanceof Number number) {
      return new XPathResult.Numeric(number.doubleValue(), StringFunction.evaluate(number, navigator));
    }
    if (value instanceof String text) {
      return new XPathResult.Text(text);
    }
    if (value instanceof List<?> found) {
      List<XmlNode> nodes = new ArrayList<>(found.size());
      for (Object node : found) {
        nodes.add((XmlNode) node);
      }
      return new XPathResult.NodeSet(nodes);
    }
    throw new JaxenException("The result has no type of XPath 1.0.");
  }

  /** Both the parser and the evaluation recurse, so unlimited nesting would overflow the stack. */
  private static void checkShape(String text) throws XPathException {
    String bare = LITERAL.matcher(text).replaceAll("''");
    int depth = 0;
    for (int i = 0; i < bare.length(); i++) {
      char c = bare.charAt(i);
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      if (depth > MAX_NESTING) {
        throw new XPathException("The expression is nested more than " + MAX_NESTING + " deep.", false);
      }
    }
    if (OPERATOR.matcher(bare).results().limit(MAX_OPERATORS + 1L).count() > MAX_OPERATORS) {
      throw new XPathException("The expression has more than " + MAX_OPERATORS + " operators.", false);
    }
  }
}
