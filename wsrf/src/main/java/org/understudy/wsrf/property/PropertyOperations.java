package org.understudy.wsrf.property;

import javax.xml.namespace.QName;
import org.understudy.wsrf.operation.Endpoint;

/** Registers the operations of WS-ResourceProperties 1.2. */
public final class PropertyOperations {
  static final String NAMESPACE = "http://docs.oasis-open.org/wsrf/rp-2";
  private static final String ACTIONS = "http://docs.oasis-open.org/wsrf/rpw-2/";

  private PropertyOperations() {}

  /** Adds the read operations, and the property QueryExpressionDialect; for resources without modifiable properties. */
  public static void addReads(Endpoint endpoint, ResourceDocument document) {
    endpoint.add(new GetProperties(document, false));
    endpoint.add(new GetProperties(document, true));
    endpoint.add(new GetDocument(document));
    endpoint.add(new QueryProperties(document));
    document.add(new QueryDialects());
  }

  /** Adds all of them. */
  public static void addAll(Endpoint endpoint, ResourceDocument document) {
    addReads(endpoint, document);
    endpoint.add(new PutDocument(document));
    for (Modification modification : Modification.values()) {
      endpoint.add(new ModifyProperties(document, modification));
    }
  }

  static QName element(String operation) {
    return new QName(NAMESPACE, operation);
  }

  /** Named after the specification's contract: each operation is a port type of the same name. */
  static String answer(String operation) {
    return ACTIONS + operation + "/" + operation + "Response";
  }

  /** The response of this operation. */
  static String response(String operation, String content) {
    return "<rp:" + operation + "Response xmlns:rp=\"" + NAMESPACE + "\">" + content + "</rp:" + operation + "Response>";
  }
}
