package org.understudy.container.soap;

import java.util.List;
import java.util.zip.CRC32C;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.RequestReader;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.mime.RequestMessage;
import org.understudy.soap.mime.Transcoding;
import org.understudy.soap.xml.EntityReferences;
import org.understudy.soap.xml.HardenedXmlReader;

/** Reads a request up to the name of the operation, with the replication header and the digest of the body. Thread-safe. */
public final class EnvelopeReader {
  private static final int MAX_TEXT = 512;

  private EnvelopeReader() {}

  /**
   * Reads UTF-8; see {@link Transcoding}.
   *
   * @param contentType of the request, or null; selects the SOAP version of the response to an invalid envelope
   * @throws BadEnvelopeException when the bytes read are not a well-formed envelope, hold a DOCTYPE, or a
   *     value in a header block of ours is invalid
   */
  public static RequestEnvelope read(byte[] bytes, int length, String contentType) throws BadEnvelopeException {
    return read(bytes, length, List.of(), contentType);
  }

  /** The same with attachments, which the digest covers too. */
  public static RequestEnvelope read(RequestMessage message, String contentType) throws BadEnvelopeException {
    return read(message.envelope(), message.envelope().length, message.parts(), contentType);
  }

  /**
   * Reads a message to its end, for services that execute it before their stack has.
   *
   * @throws BadEnvelopeException when it is cut off or not well-formed
   */
  public static void requireWhole(RequestMessage message, RequestEnvelope envelope) throws BadEnvelopeException {
    byte[] bytes = message.envelope();
    try {
      XMLStreamReader2 in = HardenedXmlReader.openBounded(bytes, bytes.length);
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

  private static RequestEnvelope read(byte[] bytes, int length, List<byte[]> parts, String contentType)
      throws BadEnvelopeException {
    SoapVersion announced = SoapVersion.ofContentType(contentType);
    if (EntityReferences.hasUndeclared(bytes, length)) {
      throw new BadEnvelopeException(announced, "The request refers to an entity that is not declared.");
    }
    try {
      return new Pass(HardenedXmlReader.openBounded(bytes, length), announced, bytes, length, parts).read();
    } catch (XMLStreamException e) {
      throw new BadEnvelopeException(announced, "The request is not well-formed XML: " + HardenedXmlReader.reason(e));
    }
  }

  /** One reading of one envelope. */
  private static final class Pass {
    private final RequestReader request;
    private final XMLStreamReader2 in;
    private final byte[] bytes;
    private final int length;
    private final List<byte[]> parts;
    private ReplicationHeader header;
    private String resource;

    Pass(XMLStreamReader2 in, SoapVersion announced, byte[] bytes, int length, List<byte[]> parts) {
      this.request = RequestReader.of(in, announced, ReplicationHeader.BLOCKS);
      this.in = in;
      this.bytes = bytes;
      this.length = length;
      this.parts = parts;
    }

    RequestEnvelope read() throws BadEnvelopeException {
      request.readHeader(block -> ownBlock());
      long digest = digest(in.getLocation().getCharacterOffset());
      QName operation = request.readOperation();
      return new RequestEnvelope(
          request.version(), operation, header, request.properties(), List.copyOf(request.notUnderstood()), resource, digest);
    }

    private void ownBlock() throws XMLStreamException, SoapFault {
      if (in.getName().equals(ReplicationHeader.RESOURCE_ID)) {
        resource = text();
      } else if (header != null) {
        throw SoapFault.sender("The request has two ReplicationHeaders.");
      } else {
        replicationHeader();
      }
    }

    private void replicationHeader() throws XMLStreamException {
      SessionId session = null;
      long sequence = 0;
      long ackBelow = 0;
      VersionHandle handle = VersionHandle.INITIAL;
      long epoch = 0;
      int attempt = 1;
      ReadLevel level = null;
      boolean forward = false;
      while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
        switch (in.getLocalName()) {
          case "Session" -> session = SessionId.parse(text());
          case "Sequence" -> sequence = number();
          case "AckBelow" -> ackBelow = number();
          case "VersionHandle" -> handle = ofGroup(VersionHandle.parse(text()));
          case "Epoch" -> epoch = VersionHandle.ofGroup(number(), 0).epoch();
          case "Attempt" -> attempt = (int) Math.min(number(), Integer.MAX_VALUE);
          case "ReadLevel" -> level = ReadLevel.parse(text());
          case "Forward" -> forward = Boolean.parseBoolean(text());
          default -> in.skipElement();
        }
      }
      if (session != null && (sequence < 1 || ackBelow > sequence)) {
        throw new IllegalArgumentException("a session's Sequence must be 1 or more, and its AckBelow must not exceed it.");
      }
      header = new ReplicationHeader(session, sequence, ackBelow, handle, epoch, attempt, level, forward);
    }

    private static VersionHandle ofGroup(VersionHandle handle) {
      if (!handle.isOfGroup()) {
        throw new IllegalArgumentException(
            "a VersionHandle must have no scope or the scope group; other handles are ScopedHandles.");
      }
      return handle;
    }

    private long number() throws XMLStreamException {
      long number;
      try {
        number = Long.parseLong(text());
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("a number is not written in digits, or has too many.", e);
      }
      if (number < 0) {
        throw new IllegalArgumentException("a number is negative.");
      }
      return number;
    }

    private String text() throws XMLStreamException {
      String text = in.getElementText().strip();
      if (text.length() > MAX_TEXT) {
        throw new IllegalArgumentException("a value is longer than " + MAX_TEXT + " characters.");
      }
      return text;
    }

    /** Over the bytes from the Body on, and attachments: headers differ from attempt to attempt, these do not. */
    private long digest(int characters) {
      int at = 0;
      for (int seen = 0; at < length && seen < characters; at++) {
        int lead = bytes[at] & 0xff;
        seen += (lead & 0xc0) == 0x80 ? 0 : lead >= 0xf0 ? 2 : 1;
      }
      while (at < length && (bytes[at] & 0xc0) == 0x80) {
        at++;
      }
      CRC32C checksum = new CRC32C();
      checksum.update(bytes, at, length - at);
      int size = length - at;
      for (byte[] part : parts) {
        checksum.update(part);
        size += part.length;
      }
      return checksum.getValue() << 32 | size;
    }
  }
}
