package org.understudy.container.interceptor;

import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.interceptor.InterceptorProvider;
import org.apache.cxf.interceptor.OneWayProcessorInterceptor;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/**
 * Hashes the Body after security and protocol handlers have processed the message. Checks decrypted content as {@link ContentChecks}
 * checks plain content. A request without response is answered when its effects are stable, not before its execution.
 */
public final class VerifiedBody extends AbstractPhaseInterceptor<SoapMessage> {
  private static final OneWayProcessorInterceptor DONE = new OneWayProcessorInterceptor();
  /**
   * Set by CXF's WS-Addressing once it has acknowledged a request, before the request is executed. CXF then neither acknowledges it nor
   * passes it to another thread. The invoker resets it: with it, an asynchronous method of the service would block the thread.
   */
  public static final String ACKNOWLEDGED = "org.apache.cxf.ws.addressing.partial.response.sent";

  private final MessageSchema schema;

  /** @param endpoint whose {@link ContentChecks} apply to decrypted content, too */
  public VerifiedBody(InterceptorProvider endpoint) {
    super(Phase.UNMARSHAL);
    addBefore("*");
    this.schema = ContentChecks.schemaOf(endpoint);
  }

  @Override
  public void handleMessage(SoapMessage message) {
    message.put(OneWayProcessorInterceptor.class, DONE);
    message.put(ACKNOWLEDGED, true);
    XMLStreamReader in = message.getContent(XMLStreamReader.class);
    if (in != null) {
      XMLStreamReader checked =
          in instanceof CheckedContent
              ? in
              : CheckedContent.ofBody(in, schema, message.getVersion().getSender(), message.get(CheckedContent.class));
      BodyDigest digest = new BodyDigest(checked, new AttachedContent(message));
      message.setContent(XMLStreamReader.class, digest);
      message.put(BodyDigest.class, digest);
    }
  }
}
