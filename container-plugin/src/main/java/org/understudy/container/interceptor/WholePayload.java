package org.understudy.container.interceptor;

import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.staxutils.StaxUtils;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * Buffers the payload of a {@code Provider} in memory. The service's stack would pass the message's reader, and {@link
 * BodyDigest} reads that to its end before the service is called.
 */
public final class WholePayload extends AbstractPhaseInterceptor<SoapMessage> {
  public WholePayload() {
    super(Phase.UNMARSHAL);
    addAfter(VerifiedBody.class.getName());
  }

  @Override
  public void handleMessage(SoapMessage message) {
    XMLStreamReader in = message.getContent(XMLStreamReader.class);
    if (in == null || !in.isStartElement()) {
      return;
    }
    try {
      message.setContent(XMLStreamReader.class, StaxUtils.createXMLStreamReader(StaxUtils.read(in)));
    } catch (XMLStreamException e) {
      throw new SoapFault("The message is not well-formed XML: " + HardenedXmlReader.reason(e), message.getVersion().getSender());
    }
  }
}
