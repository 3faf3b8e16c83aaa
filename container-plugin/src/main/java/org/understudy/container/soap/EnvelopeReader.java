package org.understudy.container.soap;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.replication.soap.ReplicationHeader;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.replication.soap.ResourceId;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.RequestReader;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.mime.Multipart;
import org.understudy.soap.mime.RequestMessage;
import org.understudy.soap.mime.Transcoding;
import org.understudy.soap.xml.ElementTree;
import org.understudy.soap.xml.EntityReferences;
import org.understudy.soap.xml.HardenedXmlReader;
import org.w3c.dom.Element;

/** Reads a request up to the name of the operation, with the replication header and the digest of the body. Thread-safe. */
public final class EnvelopeReader {
  /** The header blocks that the plugin reads, beside WS-Addressing's. */
  private static final Set<QName> BLOCKS = Set.of(ReplicationNames.HEADER, ReplicationNames.RESOURCE_ID);

  /** With those of coordination protocols, which are added when a web application is deployed. */
  private static volatile Set<QName> blocks = BLOCKS;

  private EnvelopeReader() {}

  /** From now on, these header blocks of coordination protocols are read too. */
  public static synchronized void readAlso(Set<QName> coordination) {
    Set<QName> all = new HashSet<>(blocks);
    all.addAll(coordination);
    blocks = Set.copyOf(all);
  }

  /**
   * Reads UTF-8; see {@link Transcoding}.
   *
   * @param contentType of the request, or null; selects the SOAP version of the response to an invalid envelope
   * @throws BadEnvelopeException when the bytes read are not a well-formed envelope, hold a DOCTYPE, or a
   *     value in a header block of the plugin is invalid
   */
  public static RequestEnvelope read(byte[] bytes, int length, String contentType) throws BadEnvelopeException {
    return read(bytes, length, null, contentType);
  }

  /** Reads a request with attachments; the digest covers them too. */
  public static RequestEnvelope read(RequestMessage message, String contentType) throws BadEnvelopeException {
    return read(message.envelope(), message.envelope().length, message.attachments(), contentType);
  }

  /**
   * Reads a message to its end, for services that execute it before their stack has read it.
   *
   * @throws BadEnvelopeException when it is cut off or not well-formed
   */
  public static void requireWhole(RequestMessage message, RequestEnvelope envelope) throws BadEnvelopeException {
    byte[] bytes = message.envelope();
    try {
      XMLStreamReader2 in = HardenedXmlReader.openService(bytes, bytes.length);
      while (in.hasNext()) {
        in.next();
      }
    } catch (XMLStreamException e) {
      throw new BadEnvelopeException(
          envelope.version(),
          SoapFault.sender("The request is not well-formed XML: " + HardenedXmlReader.reason(e)),
          envelope.properties());
    }
  }

  private static RequestEnvelope read(byte[] bytes, int length, Multipart attachments, String contentType)
      throws BadEnvelopeException {
    SoapVersion announced = SoapVersion.ofContentType(contentType);
    if (EntityReferences.hasUndeclared(bytes, length)) {
      throw new BadEnvelopeException(announced, "The request refers to an entity that is not declared.");
    }
    try {
      return new Pass(HardenedXmlReader.openService(bytes, length), announced, bytes, length, attachments).read();
    } catch (XMLStreamException e) {
      throw new BadEnvelopeException(announced, "The request is not well-formed XML: " + HardenedXmlReader.reason(e));
    }
  }

  /** One pass over one envelope. */
  private static final class Pass {
    private final RequestReader request;
    private final XMLStreamReader2 in;
    private final byte[] bytes;
    private final int length;
    private final Multipart attachments;
    private ReplicationHeader header;
    private String resource;
    private Element context;

    Pass(XMLStreamReader2 in, SoapVersion announced, byte[] bytes, int length, Multipart attachments) {
      this.request = RequestReader.of(in, announced, blocks);
      this.in = in;
      this.bytes = bytes;
      this.length = length;
      this.attachments = attachments;
    }

    RequestEnvelope read() throws BadEnvelopeException {
      request.readHeader(block -> ownBlock());
      long digest = digest(in.getLocation().getCharacterOffset());
      QName operation = request.readOperation();
      return new RequestEnvelope(
          request.version(), operation, header, request.properties(), List.copyOf(request.notUnderstood()), resource, digest, context);
    }

    private void ownBlock() throws XMLStreamException, SoapFault {
      if (ReplicationNames.isAt(in, ReplicationNames.RESOURCE_ID)) {
        resource = ResourceId.read(in);
      } else if (!ReplicationNames.isAt(in, ReplicationNames.HEADER)) {
        if (context != null) {
          throw SoapFault.invalidHeader("The request names two transactions of coordinators.");
        }
        context = ElementTree.read(in).getDocumentElement();
      } else if (header != null) {
        throw SoapFault.invalidHeader("The request has two ReplicationHeaders.");
      } else {
        header = ReplicationHeader.read(in);
      }
    }

    /** Hashes the bytes from the Body on and the attachments. Headers are left out because they differ between attempts. */
    private long digest(int characters) {
      int at = 0;
      for (int seen = 0; at < length && seen < characters; at++) {
        int lead = bytes[at] & 0xff;
        seen += (lead & 0xc0) == 0x80 ? 0 : lead >= 0xf0 ? 2 : 1;
      }
      while (at < length && (bytes[at] & 0xc0) == 0x80) {
        at++;
      }
      return ContentDigest.of(bytes, at, length, attachments);
    }
  }
}
