package org.understudy.soap.envelope;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * Reads a SOAP request up to the element in its Body, which determines the operation: Action and SOAPAction are ignored.
 * The caller continues from there. One thread, one pass.
 */
public final class RequestReader {
  private final EnvelopeCursor envelope;
  private final XMLStreamReader2 in;
  private final Set<QName> known;
  private final Map<String, String> scope;
  private SoapVersion version;
  private RequestHeader header;
  private QName operation;

  /** Reads a header block that the caller understands. */
  @FunctionalInterface
  public interface KnownBlock {
    /**
     * Reads the block or part of it.
     *
     * @param in on the start of the block
     * @throws IllegalArgumentException when a value in it is invalid; the message is a sentence for the sender
     * @throws SoapFault when the block is not allowed there
     */
    void read(XMLStreamReader2 in) throws XMLStreamException, SoapFault;
  }

  private RequestReader(XMLStreamReader2 in, SoapVersion announced, Set<QName> known, Map<String, String> scope) {
    this.in = in;
    this.envelope = new EnvelopeCursor(in);
    this.version = announced;
    this.known = known;
    this.scope = scope;
  }

  /**
   * @param announced the version that the transport's media type announces, for answers to a document that is not an
   *     envelope
   * @param known the header blocks that the caller understands, in addition to WS-Addressing's
   */
  public static RequestReader of(XMLStreamReader2 in, SoapVersion announced, Set<QName> known) {
    return new RequestReader(in, announced, known, null);
  }

  /** Like the other, with prefixes recorded in {@link #scope}, for callers that copy elements out of the Body. */
  public static RequestReader withScope(XMLStreamReader2 in, SoapVersion announced, Set<QName> known) {
    return new RequestReader(in, announced, known, new HashMap<>());
  }

  /**
   * Reads the header, to the start of the Body.
   *
   * @throws BadEnvelopeException when the document is not a SOAP envelope as far as it was read, or a value in a known
   *     block is invalid
   */
  public void readHeader(KnownBlock block) throws BadEnvelopeException {
    try {
      if (!envelope.open()) {
        throw SoapFault.versionMismatch();
      }
      if ("1.1".equals(in.getVersion())) {
        // It has characters that an answer in XML 1.0 cannot contain.
        throw SoapFault.sender("A SOAP message must be XML 1.0.");
      }
      version = envelope.version();
      header = new RequestHeader(version, known, envelope.scope());
      noteScope();
      while (envelope.nextBlock()) {
        if (!header.read(in)) {
          block.read(in);
        }
      }
      if (!envelope.isBody()) {
        throw SoapFault.sender("The Body of the envelope is missing or misplaced.");
      }
      noteScope();
    } catch (SoapFault fault) {
      throw bad(fault);
    } catch (XMLStreamException e) {
      throw malformed(e);
    } catch (IllegalArgumentException e) {
      throw bad(SoapFault.invalidHeader("A header block is invalid: " + HardenedXmlReader.reason(e)));
    }
  }

  /**
   * Moves from the start of the Body to the element in it.
   *
   * @return its name; null when the Body is empty
   */
  public QName readOperation() throws BadEnvelopeException {
    try {
      operation = in.nextTag() == XMLStreamConstants.START_ELEMENT ? in.getName() : null;
      return operation;
    } catch (XMLStreamException e) {
      throw malformed(e);
    }
  }

  /** Reads up to the element in the Body of a request whose header blocks were checked before. */
  public void readCheckedToOperation() throws BadEnvelopeException {
    readHeader(block -> {
      // Skips the block.
    });
    readOperation();
  }

  /** Reads to the end, because a truncated request must not be executed. */
  public void readToEnd() throws XMLStreamException {
    while (in.hasNext()) {
      in.next();
    }
  }

  /** Records the prefixes declared on the current element, for subtrees to be copied later. */
  public void noteScope() {
    if (scope != null) {
      ElementText.noteScope(in, scope);
    }
  }

  /** Every recorded prefix, and its namespace; null unless created by {@link #withScope}. */
  public Map<String, String> scope() {
    return scope;
  }

  /** The reader at its current position. */
  public XMLStreamReader2 reader() {
    return in;
  }

  /** The version; the announced one while it is unknown. */
  public SoapVersion version() {
    return version;
  }

  /** WS-Addressing's properties as far as they were read; not checked yet. */
  public MessageProperties properties() {
    return header == null ? MessageProperties.UNUSED : header.properties();
  }

  /** The header blocks for this node that must be understood and are unknown. */
  public List<QName> notUnderstood() {
    return header.notUnderstood();
  }

  /** The name of the element in the Body; null while unknown, and when the Body is empty. */
  public QName operation() {
    return operation;
  }

  private BadEnvelopeException malformed(XMLStreamException e) {
    return bad(SoapFault.sender("The request is not well-formed XML: " + HardenedXmlReader.reason(e)));
  }

  private BadEnvelopeException bad(SoapFault fault) {
    return new BadEnvelopeException(version, fault, properties());
  }
}
