package org.understudy.container.interceptor;

import jakarta.activation.DataHandler;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.apache.cxf.attachment.AttachmentImpl;
import org.apache.cxf.attachment.ByteDataSource;
import org.apache.cxf.binding.soap.SoapHeader;
import org.apache.cxf.headers.Header;
import org.apache.cxf.message.Attachment;
import org.apache.cxf.staxutils.StaxUtils;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.envelope.EnvelopeCursor;
import org.understudy.soap.mime.Multipart;
import org.understudy.soap.xml.ElementTree;
import org.understudy.soap.xml.HardenedXmlReader;
import org.w3c.dom.Element;

/**
 * A stored envelope that the service's stack sends instead of a result. {@link StoredEnvelopes} adds it to the interceptor chain. For
 * one thread and one message.
 */
public final class StoredEnvelope {
  private static final QName ACTION = Addressing.name("Action");

  private final byte[] bytes;
  private final int status;
  private final Multipart attachments;
  private XMLStreamReader2 in;
  private String action;

  /**
   * @param status the HTTP status
   * @param attachments beside the envelope, or null
   */
  public StoredEnvelope(byte[] bytes, int status, Multipart attachments) {
    this.bytes = bytes;
    this.status = status;
    this.attachments = attachments;
  }

  List<Attachment> attachments() {
    List<Attachment> all = new ArrayList<>();
    for (Multipart.Part part : attachments == null ? List.<Multipart.Part>of() : attachments.parts()) {
      ByteDataSource source = new ByteDataSource(part.content());
      source.setContentType(part.type());
      all.add(new AttachmentImpl(part.id(), new DataHandler(source)));
    }
    return all;
  }

  int status() {
    return status;
  }

  /**
   * Reads the header blocks.
   *
   * @param except the namespace of WS-Addressing, whose blocks, with reference parameters, are left out because the service's stack
   *     writes them itself; null for none
   */
  List<Header> headers(String except) throws XMLStreamException {
    List<Header> headers = new ArrayList<>();
    in = HardenedXmlReader.openCopy(bytes, bytes.length);
    EnvelopeCursor body = new EnvelopeCursor(in);
    if (!body.open()) {
      throw new IllegalStateException("The stored envelope of this replica has no SOAP envelope as its root. Report this as a defect.");
    }
    while (body.nextBlock()) {
      QName name = in.getName();
      if (name.equals(ACTION) && name.getNamespaceURI().equals(except)) {
        action = in.getElementText();
      } else if (except == null || !name.getNamespaceURI().equals(except) && in.getAttributeValue(except, "IsReferenceParameter") == null) {
        Element block = ElementTree.read(in).getDocumentElement();
        headers.add(new SoapHeader(name, block));
      }
    }
    return headers;
  }

  /** Returns the action of WS-Addressing if {@link #headers} has left it out, else null. */
  String action() {
    return action;
  }

  /** Writes the content of the Body. Call it after {@link #headers}. */
  void writeBody(XMLStreamWriter out) throws XMLStreamException {
    if (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      // Copied as a fragment, because the reader stands inside the Body.
      StaxUtils.copy(in, out, true);
    }
  }
}
