package org.understudy.wsrf.property;

import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.xpath.XPathException;
import org.understudy.notification.xpath.XPathExpression;
import org.understudy.notification.xpath.XPathResult;
import org.understudy.notification.xpath.XmlNode;
import org.understudy.notification.xpath.XmlTree;
import org.understudy.replication.api.ReadLevel;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.basefault.ResourceFaultType;
import org.understudy.soap.xml.ElementScope;
import org.understudy.soap.xml.Elements;
import org.understudy.wsrf.operation.Invocation;
import org.w3c.dom.Element;

/**
 * QueryResourceProperties (WS-ResourceProperties 1.2, section 5.9) with XPath 1.0. The cost of a query is bounded by limits on
 * the document's nodes, the evaluation's steps and the response's length.
 */
final class QueryProperties extends ResourceOperation {
  private static final String OPERATION = "QueryResourceProperties";
  private static final int MAX_NODES = 100_000;
  private static final int MAX_CHARACTERS = 4 << 20;
  private static final WstxOutputFactory WRITERS = new WstxOutputFactory();

  QueryProperties(ResourceDocument document) {
    super(
        document, PropertyOperations.element(OPERATION), PropertyOperations.answer(OPERATION), ReadLevel.LINEARIZABLE);
  }

  @Override
  protected String answer(Invocation invocation) throws DeclaredFault {
    Element query = Elements.child(invocation.body(), PropertyOperations.NAMESPACE, "QueryExpression");
    if (query == null) {
      throw DeclaredFault.badMessage(OPERATION + " must hold a QueryExpression.");
    }
    String dialect = query.getAttribute("Dialect").strip();
    if (!dialect.equals(XPathExpression.DIALECT)) {
      throw fault(
          ResourceFaultType.UNKNOWN_QUERY_EXPRESSION_DIALECT, invocation,
          "The dialect '" + Elements.shortened(dialect) + "' is unknown. Use " + XPathExpression.DIALECT + ".").declared();
    }
    XPathExpression expression;
    try {
      expression = XPathExpression.parse(Expression.of(dialect, Elements.text(query), new ElementScope(query)));
    } catch (XPathException | IllegalArgumentException e) {
      throw fault(
          ResourceFaultType.INVALID_QUERY_EXPRESSION, invocation, "The query is invalid: " + e.getMessage()).declared();
    }
    try {
      byte[] text = document.text(invocation.transaction(), invocation.now()).getBytes(StandardCharsets.UTF_8);
      XPathResult result =
          expression.evaluate(XmlTree.parse(text, MAX_NODES).root(), XPathExpression.DEFAULT_BUDGET);
      return response(result);
    } catch (XPathException | XMLStreamException e) {
      throw fault(
          ResourceFaultType.QUERY_EVALUATION_ERROR, invocation, "The query cannot be evaluated: " + e.getMessage()).declared();
    }
  }

  private static String response(XPathResult result) throws XMLStreamException {
    StringWriter text = new StringWriter();
    XMLStreamWriter out = WRITERS.createXMLStreamWriter(text);
    out.writeStartElement("rp", OPERATION + "Response", PropertyOperations.NAMESPACE);
    out.writeNamespace("rp", PropertyOperations.NAMESPACE);
    if (result instanceof XPathResult.NodeSet nodes) {
      for (XmlNode node : nodes.nodes()) {
        node.writeTo(out);
        out.flush();
        // Nested nodes are written repeatedly.
        if (text.getBuffer().length() > MAX_CHARACTERS) {
          throw new XMLStreamException("the response would be longer than " + MAX_CHARACTERS + " characters.");
        }
      }
    } else {
      out.writeCharacters(result.asString());
    }
    out.writeEndElement();
    out.close();
    return text.toString();
  }
}
