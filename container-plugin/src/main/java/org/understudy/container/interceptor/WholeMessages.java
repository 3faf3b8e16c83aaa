package org.understudy.container.interceptor;

import javax.xml.stream.XMLStreamException;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.interceptor.OneWayProcessorInterceptor;
import org.apache.cxf.phase.Phase;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * Reads a message to its end before the service executes it. The service's stack stops after the operation's element. It would execute a
 * truncated message, and ignore a second operation.
 */
public final class WholeMessages extends AbstractSoapInterceptor {
  public WholeMessages() {
    super(Phase.PRE_LOGICAL);
    addBefore(OneWayProcessorInterceptor.class.getName());
  }

  @Override
  public void handleMessage(SoapMessage message) {
    CheckedContent content = message.get(CheckedContent.class);
    BodyDigest digest = message.get(BodyDigest.class);
    try {
      boolean one = digest == null || digest.complete() != null;
      if (!one || content != null && !content.isWhole()) {
        throw new SoapFault(
            "The message has content after its operation. Its Body must hold one element at most and be the last part of the envelope.",
            message.getVersion().getSender());
      }
    } catch (XMLStreamException e) {
      throw new SoapFault("The message is not well-formed XML: " + HardenedXmlReader.reason(e), message.getVersion().getSender());
    }
  }
}
