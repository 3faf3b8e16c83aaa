package org.understudy.container.request;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.mime.ContentType;
import org.understudy.soap.mime.Transcoding;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.ElementTree;
import org.understudy.soap.xml.Elements;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;
import org.w3c.dom.Element;

/** Takes the content of the Body out of the envelope that a service's stack wrote. Thread-safe. */
final class ResponseBody {
  private static final byte[] ENVELOPE = "<soap:Envelope xmlns:soap=\"".getBytes(StandardCharsets.UTF_8);
  private static final byte[] BODY = "<soap:Body>".getBytes(StandardCharsets.UTF_8);
  private static final byte[] END = "</soap:Body></soap:Envelope>".getBytes(StandardCharsets.UTF_8);
  private static final HardenedXmlReader INTAKE = new HardenedXmlReader(XmlLimits.ofCopies());

  private ResponseBody() {}

  /**
   * The content of the Body: byte for byte where CXF wrote the envelope in its usual form; else written anew, with every
   * prefix declared that the envelope and the Body declare.
   *
   * @param contentType of the envelope, or null
   * @throws IllegalArgumentException when it is not a well-formed envelope
   */
  static byte[] of(byte[] envelope, int length, String contentType) {
    byte[] usual = isUtf8(contentType) ? usual(envelope, length) : null;
    if (usual != null) {
      return usual;
    }
    try {
      byte[] utf8 = Transcoding.utf8(Arrays.copyOf(envelope, length), contentType);
      XMLStreamReader in = INTAKE.open(utf8, 0, utf8.length, "UTF-8");
      Element root = ElementTree.read(in).getDocumentElement();
      while (in.hasNext()) {
        in.next();
      }
      return written(root);
    } catch (XMLStreamException | BadEnvelopeException e) {
      throw new IllegalArgumentException("The service's response is not a SOAP envelope: " + HardenedXmlReader.reason(e), e);
    }
  }

  private static boolean isUtf8(String contentType) {
    String charset = ContentType.of(contentType).parameter("charset");
    return charset == null || charset.equalsIgnoreCase("UTF-8");
  }

  /** Null when the envelope has another form than CXF's usual one. */
  private static byte[] usual(byte[] envelope, int length) {
    int begin = indexOf(envelope, length, 0, ENVELOPE);
    int quote = begin < 0 ? -1 : indexOf(envelope, length, begin + ENVELOPE.length, new byte[] {'"'});
    // A further declaration on the envelope may be one that the body needs.
    if (quote < 0 || quote + 1 >= length || envelope[quote + 1] != '>') {
      return null;
    }
    int body = indexOf(envelope, length, quote, BODY);
    int end = length;
    while (end > 0 && Character.isWhitespace(envelope[end - 1])) {
      end--;
    }
    int from = body + BODY.length;
    int to = end - END.length;
    boolean ends = to >= from && Arrays.equals(envelope, to, end, END, 0, END.length);
    return body < 0 || !ends ? null : Arrays.copyOfRange(envelope, from, to);
  }

  private static byte[] written(Element envelope) {
    String soap = envelope.getNamespaceURI();
    Element body = soap == null ? null : Elements.child(envelope, soap, "Body");
    if (body == null || !envelope.getLocalName().equals("Envelope")) {
      throw new IllegalArgumentException(
          "The service's response is not a SOAP envelope but an element " + Elements.name(envelope) + ".");
    }
    StringBuilder content = new StringBuilder(1_024);
    for (Element child : Elements.children(body)) {
      ElementText.write(child, content);
    }
    return content.toString().getBytes(StandardCharsets.UTF_8);
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
