package org.understudy.container.interceptor;

import java.util.Map;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.interceptor.InterceptorProvider;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.ws.commons.schema.XmlSchemaCollection;

/**
 * Rejects invalid and missing numbers and booleans. The data binding would replace them by other values, and the service would execute
 * something that the client did not request. Ignores {@code xsi:nil} on an operation's element: the data binding would make a
 * null of it that the service's stack does not expect (SOAP::Lite sends it for calls without arguments). Checks the message while
 * it is read, in one pass.
 */
public final class ContentChecks extends AbstractPhaseInterceptor<SoapMessage> {
  private final PrimitiveTypes types;

  /** @param schemas the schemas of the service's messages; with empty ones, no number and no boolean is checked */
  public ContentChecks(XmlSchemaCollection schemas) {
    super(Phase.POST_STREAM);
    addAfter(StaxInInterceptor.class.getName());
    this.types = PrimitiveTypes.of(schemas);
  }

  /** The types that the checks of an endpoint know; none for an endpoint without checks. */
  static PrimitiveTypes typesOf(InterceptorProvider endpoint) {
    return endpoint.getInInterceptors().stream()
        .filter(ContentChecks.class::isInstance)
        .map(one -> ((ContentChecks) one).types)
        .findFirst()
        .orElseGet(() -> PrimitiveTypes.of(new XmlSchemaCollection()));
  }

  /**
   * Adds an operation of style RPC, whose parts no schema declares. Call it before the first message.
   *
   * @param operation its element in the Body
   * @param parts the types of the parts by name
   */
  public void add(QName operation, Map<String, QName> parts) {
    types.add(operation, parts);
  }

  @Override
  public void handleMessage(SoapMessage message) {
    XMLStreamReader in = message.getContent(XMLStreamReader.class);
    if (in != null) {
      CheckedContent content = new CheckedContent(in, types, message.getVersion().getSender());
      message.setContent(XMLStreamReader.class, content);
      message.put(CheckedContent.class, content);
    }
  }
}
