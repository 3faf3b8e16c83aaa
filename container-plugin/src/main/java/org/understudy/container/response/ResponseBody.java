package org.understudy.container.response;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.mime.ContentType;
import org.understudy.soap.mime.Transcoding;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.ElementTree;
import org.understudy.soap.xml.Elements;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlText;
import org.w3c.dom.Element;

/**
 * The stored parts of the envelope that a service's stack wrote.
 *
 * @param headers the header blocks of the service as XML text, without those that this plugin writes for each attempt
 * @param content the content of the Body
 */
public record ResponseBody(String headers, byte[] content) {
  private static final Logger LOG = LoggerFactory.getLogger(ResponseBody.class);
  private static final AtomicBoolean OMITTED = new AtomicBoolean();
  /** What precedes the headers of a fault: the action that the service's stack has computed, which depends on the exception. */
  private static final String ACTION = "<ur:Action xmlns:ur=\"" + ReplicationNames.NAMESPACE + "\">";
  private static final String END_OF_ACTION = "</ur:Action>";
  private static final byte[] ENVELOPE = "<soap:Envelope xmlns:soap=\"".getBytes(StandardCharsets.UTF_8);
  private static final byte[] BODY = "<soap:Body>".getBytes(StandardCharsets.UTF_8);
  private static final byte[] NO_HEADER = "<soap:Header/>".getBytes(StandardCharsets.UTF_8);
  private static final byte[] END = "</soap:Body></soap:Envelope>".getBytes(StandardCharsets.UTF_8);

  /**
   * Reads an envelope. The content is kept byte for byte if CXF wrote the envelope in its common form, without a header. Else
   * it is written again, with all namespace prefixes that the envelope and the Body declare.
   *
   * @param contentType of the envelope, or null
   * @throws IllegalArgumentException when it is not a well-formed envelope
   */
  public static ResponseBody of(byte[] envelope, int length, String contentType) {
    byte[] content = isUtf8(contentType) ? contentOfCommonForm(envelope, length) : null;
    if (content != null) {
      return new ResponseBody("", content);
    }
    try {
      byte[] utf8 = Transcoding.utf8(Arrays.copyOf(envelope, length), contentType);
      XMLStreamReader in = HardenedXmlReader.openCopy(utf8, utf8.length);
      Element root = ElementTree.read(in).getDocumentElement();
      while (in.hasNext()) {
        in.next();
      }
      return rewrite(root);
    } catch (XMLStreamException | BadEnvelopeException e) {
      throw new IllegalArgumentException("The service's response is not a SOAP envelope: " + HardenedXmlReader.reason(e), e);
    }
  }

  /**
   * Returns the parts that every member of the view can read: without headers as long as a member runs a build before they were stored.
   *
   * @param wire returns the wire version of the view; called only for a response with headers
   */
  public ResponseBody readable(IntSupplier wire) {
    if (headers.isEmpty() || wire.getAsInt() >= WireVersions.RESPONSE_HEADERS) {
      return this;
    }
    if (OMITTED.compareAndSet(false, true)) {
      LOG.warn("SOAP headers of responses are left out until every replica of the group has been upgraded to this version, because "
          + "the others cannot read them.");
    }
    return new ResponseBody("", content);
  }

  /** Packs both parts into one array for {@link #unpack}: the length of the headers in bytes, the headers, the content. */
  public byte[] pack() {
    byte[] text = headers.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Integer.BYTES + text.length + content.length).putInt(text.length).put(text).put(content).array();
  }

  /** Unpacks an array of {@link #pack}. */
  static ResponseBody unpack(byte[] packed) {
    int length = ByteBuffer.wrap(packed).getInt();
    String headers = new String(packed, Integer.BYTES, length, StandardCharsets.UTF_8);
    return new ResponseBody(headers, Arrays.copyOfRange(packed, Integer.BYTES + length, packed.length));
  }

  /** Returns the action of a fault that its stored headers begin with; null if there is none. */
  static String action(String headers) {
    if (!headers.startsWith(ACTION)) {
      return null;
    }
    String escaped = headers.substring(ACTION.length(), headers.indexOf(END_OF_ACTION));
    return escaped.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
  }

  /** Returns stored headers without the action. */
  static String blocks(String headers) {
    return headers.startsWith(ACTION) ? headers.substring(headers.indexOf(END_OF_ACTION) + END_OF_ACTION.length()) : headers;
  }

  private static boolean isUtf8(String contentType) {
    String charset = ContentType.of(contentType).parameter("charset");
    return charset == null || charset.equalsIgnoreCase("UTF-8");
  }

  /** Returns the content of the Body; null if the envelope does not have CXF's common form. */
  private static byte[] contentOfCommonForm(byte[] envelope, int length) {
    int begin = indexOf(envelope, length, 0, ENVELOPE);
    int quote = begin < 0 ? -1 : indexOf(envelope, length, begin + ENVELOPE.length, new byte[] {'"'});
    // The Body may need a further declaration on the envelope.
    if (quote < 0 || quote + 1 >= length || envelope[quote + 1] != '>') {
      return null;
    }
    int body = quote + 2;
    body = startsWith(envelope, length, body, NO_HEADER) ? body + NO_HEADER.length : body;
    int end = length;
    while (end > 0 && Character.isWhitespace(envelope[end - 1])) {
      end--;
    }
    int from = body + BODY.length;
    int to = end - END.length;
    boolean ends = to >= from && Arrays.equals(envelope, to, end, END, 0, END.length);
    return ends && startsWith(envelope, length, body, BODY) ? Arrays.copyOfRange(envelope, from, to) : null;
  }

  private static ResponseBody rewrite(Element envelope) {
    String soap = envelope.getNamespaceURI();
    Element body = soap == null ? null : Elements.child(envelope, soap, "Body");
    if (body == null || !envelope.getLocalName().equals("Envelope")) {
      throw new IllegalArgumentException(
          "The service's response is not a SOAP envelope but an element " + Elements.name(envelope) + ".");
    }
    StringBuilder headers = new StringBuilder();
    Element header = Elements.child(envelope, soap, "Header");
    if (header != null) {
      Element action = Elements.child(header, Addressing.NAMESPACE, "Action");
      if (action != null && Elements.child(body, soap, "Fault") != null) {
        headers.append(ACTION).append(XmlText.escape(action.getTextContent())).append(END_OF_ACTION);
      }
      for (Element block : Elements.children(header)) {
        if (!isPerAttempt(block)) {
          ElementText.write(block, headers);
        }
      }
    }
    StringBuilder content = new StringBuilder(1_024);
    for (Element child : Elements.children(body)) {
      ElementText.write(child, content);
    }
    return new ResponseBody(headers.toString(), content.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Whether this plugin writes the block for each attempt. */
  private static boolean isPerAttempt(Element block) {
    return Addressing.NAMESPACE.equals(block.getNamespaceURI())
        || ReplicationNames.NAMESPACE.equals(block.getNamespaceURI())
        // Of the client's ReplyTo: another attempt can have another.
        || block.hasAttributeNS(Addressing.NAMESPACE, "IsReferenceParameter");
  }

  private static boolean startsWith(byte[] all, int length, int at, byte[] with) {
    return at + with.length <= length && Arrays.equals(all, at, at + with.length, with, 0, with.length);
  }

  private static int indexOf(byte[] all, int length, int from, byte[] sought) {
    outer:
    for (int i = from; i <= length - sought.length; i++) {
      for (int j = 0; j < sought.length; j++) {
        if (all[i + j] != sought[j]) {
          continue outer;
        }
      }
      return i;
    }
    return -1;
  }
}
