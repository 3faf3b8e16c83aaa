package org.understudy.container.interceptor;

import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.interceptor.InterceptorProvider;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.ws.commons.schema.XmlSchemaCollection;

/**
 * Rejects numbers and booleans that the data binding would replace by others, or by 0 and false where they are missing: the service
 * would execute something that the client did not request. Each is checked by the type that the schema declares at its place. Ignores
 * {@code xsi:nil} on an operation's element that is not declared nillable: the data binding would make a null of it that the service's
 * stack does not expect (SOAP::Lite sends it for calls without arguments). Checks the message while it is read, in one pass.
 */
public final class ContentChecks extends AbstractPhaseInterceptor<SoapMessage> {
  private final MessageSchema schema;

  /** Only records how a message is read, for {@link WholeMessages}: nothing is known about its content. */
  public ContentChecks() {
    this(MessageSchema.empty());
  }

  /** @param schemas the schemas of the service's messages */
  public ContentChecks(XmlSchemaCollection schemas) {
    this(MessageSchema.of(schemas));
  }

  private ContentChecks(MessageSchema schema) {
    super(Phase.POST_STREAM);
    addAfter(StaxInInterceptor.class.getName());
    this.schema = schema;
  }

  /** What the checks of an endpoint know; nothing for an endpoint without checks. */
  static MessageSchema schemaOf(InterceptorProvider endpoint) {
    return endpoint.getInInterceptors().stream()
        .filter(ContentChecks.class::isInstance)
        .map(one -> ((ContentChecks) one).schema)
        .findFirst()
        .orElseGet(MessageSchema::empty);
  }

  /**
   * Adds an operation of style RPC, whose parts no schema declares. Call it before the first message.
   *
   * @param operation its element in the Body
   * @param parts the types of the parts by name
   */
  public void add(QName operation, Map<String, QName> parts) {
    schema.add(operation, parts);
  }

  /**
   * Adds header blocks that an operation reads. Others are not checked. Call it before the first message.
   *
   * @param operation its element in the Body
   */
  public void addHeaders(QName operation, Set<QName> headers) {
    schema.addHeaders(operation, headers);
  }

  @Override
  public void handleMessage(SoapMessage message) {
    XMLStreamReader in = message.getContent(XMLStreamReader.class);
    if (in != null) {
      CheckedContent content = new CheckedContent(in, schema, message.getVersion().getSender());
      message.setContent(XMLStreamReader.class, content);
      message.put(CheckedContent.class, content);
    }
  }
}
