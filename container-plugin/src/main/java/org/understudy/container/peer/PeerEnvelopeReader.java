package org.understudy.container.peer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.soap.xml.HardenedXmlReader;

/** Reads the peer messages of a Deliver, a DeliverResponse or a Notify, inline or as XOP parts. */
final class PeerEnvelopeReader {
  /** The first element of the body, and the messages in order. */
  record Content(String element, List<Message> messages) {}

  private record Part(int offset, int length) {}

  private PeerEnvelopeReader() {}

  /**
   * Reads an envelope.
   *
   * @throws IOException when the bytes are not a valid envelope of {@code peer.wsdl} or a Notify
   */
  static Content read(MessageFormat format, String contentType, byte[] bytes, int length) throws IOException {
    try {
      if (contentType != null && contentType.startsWith("multipart/related")) {
        Map<String, Part> parts = parts(boundary(contentType), bytes, length);
        Part root = parts.get(start(contentType));
        if (root == null) {
          throw new IOException("The multipart message has no root part.");
        }
        byte[] xml = java.util.Arrays.copyOfRange(bytes, root.offset(), root.offset() + root.length());
        return xml(format, xml, xml.length, bytes, parts);
      }
      return xml(format, bytes, length, bytes, Map.of());
    } catch (XMLStreamException | IllegalArgumentException e) {
      throw new IOException("The message is not an envelope of peer messages: " + e.getMessage(), e);
    }
  }

  private static Content xml(
      MessageFormat format, byte[] xml, int length, byte[] whole, Map<String, Part> parts)
      throws XMLStreamException, IOException {
    XMLStreamReader in = HardenedXmlReader.openBounded(xml, length);
    List<Message> messages = new ArrayList<>(4);
    String element = null;
    boolean inBody = false;
    while (in.hasNext()) {
      int event = in.next();
      if (event == XMLStreamConstants.DTD) {
        throw new IOException("A SOAP message must not hold a DOCTYPE.");
      }
      if (event != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      if (inBody && element == null) {
        element = in.getLocalName();
      }
      inBody |= in.getLocalName().equals("Body");
      if (in.getLocalName().equals("message") && PeerEnvelope.NAMESPACE.equals(in.getNamespaceURI())) {
        messages.addAll(message(format, in, whole, parts));
      }
    }
    return new Content(element, messages);
  }

  private static List<Message> message(
      MessageFormat format, XMLStreamReader in, byte[] whole, Map<String, Part> parts)
      throws XMLStreamException, IOException {
    StringBuilder text = new StringBuilder();
    while (true) {
      int event = in.next();
      if (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA) {
        text.append(in.getTextCharacters(), in.getTextStart(), in.getTextLength());
      } else if (event == XMLStreamConstants.START_ELEMENT) {
        String href = in.getAttributeValue(null, "href");
        Part part = href != null && href.startsWith("cid:") ? parts.get(href.substring(4)) : null;
        if (part == null) {
          throw new IOException("The message refers to the part " + href + ", which is missing.");
        }
        List<Message> messages = format.readAll(whole, part.offset(), part.length());
        skipTo(in, "message");
        return messages;
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        byte[] bytes = Base64.getMimeDecoder().decode(text.toString());
        return format.readAll(bytes, 0, bytes.length);
      }
    }
  }

  private static void skipTo(XMLStreamReader in, String end) throws XMLStreamException {
    while (!(in.next() == XMLStreamConstants.END_ELEMENT && in.getLocalName().equals(end))) {
      // Skips the include.
    }
  }

  private static String start(String contentType) {
    String start = parameter(contentType, "start=");
    return start == null ? "" : bare(start);
  }

  private static byte[] boundary(String contentType) throws IOException {
    String boundary = parameter(contentType, "boundary=");
    if (boundary == null || boundary.isEmpty() || boundary.length() > 70) {
      throw new IOException("The multipart message has no valid boundary.");
    }
    return ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String parameter(String contentType, String name) {
    for (String parameter : contentType.split(";")) {
      String stripped = parameter.strip();
      if (stripped.startsWith(name)) {
        return stripped.substring(name.length()).replace("\"", "");
      }
    }
    return null;
  }

  /** Returns the parts by content id. */
  private static Map<String, Part> parts(byte[] boundary, byte[] bytes, int length) throws IOException {
    int[] skips = skips(boundary);
    Map<String, Part> parts = new HashMap<>();
    int at = find(boundary, skips, bytes, 0, length);
    while (at >= 0) {
      int head = at + boundary.length;
      if (head + 2 <= length && bytes[head] == '-' && bytes[head + 1] == '-') {
        return parts;
      }
      int content = headEnd(bytes, head, length);
      int next = find(boundary, skips, bytes, content, length);
      if (next < content + 2) {
        break;
      }
      parts.put(contentId(new String(bytes, head, content - head, StandardCharsets.ISO_8859_1)),
          new Part(content, next - 2 - content));
      at = next;
    }
    throw new IOException("The multipart message is truncated.");
  }

  private static String contentId(String head) {
    for (int line = 0; line < head.length(); line = head.indexOf("\r\n", line) + 2) {
      if (head.regionMatches(true, line, "Content-ID:", 0, 11)) {
        return bare(head.substring(line + 11, head.indexOf("\r\n", line)).strip());
      }
    }
    return "";
  }

  private static String bare(String id) {
    return id.replace("<", "").replace(">", "");
  }

  private static int headEnd(byte[] bytes, int from, int length) throws IOException {
    for (int i = from; i + 3 < length && i < from + 2_048; i++) {
      if (bytes[i] == '\r' && bytes[i + 1] == '\n' && bytes[i + 2] == '\r' && bytes[i + 3] == '\n') {
        return i + 4;
      }
    }
    throw new IOException("The header of a part of the multipart message is too long or incomplete.");
  }

  /** Finds the boundary with Horspool's search, which passes large content in steps of the boundary's length. */
  private static int find(byte[] sought, int[] skips, byte[] bytes, int from, int length) {
    int last = sought.length - 1;
    for (int i = from; i + last < length; i += skips[bytes[i + last] & 0xff]) {
      int j = last;
      while (j >= 0 && bytes[i + j] == sought[j]) {
        j--;
      }
      if (j < 0) {
        return i;
      }
    }
    return -1;
  }

  private static int[] skips(byte[] sought) {
    int[] skips = new int[256];
    java.util.Arrays.fill(skips, sought.length);
    for (int i = 0; i < sought.length - 1; i++) {
      skips[sought[i] & 0xff] = sought.length - 1 - i;
    }
    return skips;
  }
}
