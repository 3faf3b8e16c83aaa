package org.understudy.container.interceptor;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;

/**
 * Hashes the content of a Body while the service's stack reads it: names, attributes, text and attachments, independent of prefixes and
 * serialization. An attachment counts by its content, wherever an {@code xop:Include}, a text or an attribute refers to it. Two
 * attempts of one request have the same hash although each is signed and encrypted anew. For one thread.
 */
public final class BodyDigest extends StreamReaderDelegate {
  private static final String SECURITY_UTILITY =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
  private static final QName INCLUDE = new QName("http://www.w3.org/2004/08/xop/include", "Include");
  private static final byte[] START = {1};
  private static final byte[] ATTRIBUTE = {2};
  private static final byte[] TEXT = {3};
  private static final byte[] END = {4};
  private static final byte[] ATTACHMENT = {5};
  private static final byte[] ATTACHMENT_IN_ATTRIBUTE = {6};
  private static final byte[] OTHER_ATTACHMENT = {7};

  private final AttachedContent attached;
  private final MessageDigest hash;
  private final StringBuilder text = new StringBuilder();
  private QName first;
  private int depth;
  private int elements;
  /** Whether the end of the Body, or of the document, has been read. */
  private boolean ended;
  private byte[] complete;

  /** @param in on the first element of the Body, or on the end of an empty one */
  BodyDigest(XMLStreamReader in, AttachedContent attached) {
    super(in);
    this.attached = attached;
    this.hash = sha256();
    if (in.isStartElement()) {
      handle(START_ELEMENT);
    } else {
      ended = in.isEndElement();
    }
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }

  /** Returns the name of the first element of the Body, or null. */
  public QName first() {
    return first;
  }

  /**
   * Reads the rest of the Body, and returns the hash of the whole Body. Later calls return the same array.
   *
   * @return null when the Body holds more than one element
   * @throws XMLStreamException when the message is not well-formed
   */
  public byte[] complete() throws XMLStreamException {
    while (!ended && super.hasNext()) {
      next();
    }
    if (complete == null && elements <= 1) {
      flush();
      attached.hashesOfOthers().forEach(other -> update(OTHER_ATTACHMENT, other));
      complete = hash.digest();
    }
    return complete;
  }

  @Override
  public int next() throws XMLStreamException {
    return handle(super.next());
  }

  @Override
  public int nextTag() throws XMLStreamException {
    return handle(super.nextTag());
  }

  @Override
  public String getElementText() throws XMLStreamException {
    String all = super.getElementText();
    text.append(all);
    handle(END_ELEMENT);
    return all;
  }

  private int handle(int event) {
    if (ended) {
      return event;
    }
    switch (event) {
      case START_ELEMENT -> begin();
      case CHARACTERS, CDATA, SPACE -> {
        if (depth > 0) {
          text.append(super.getText());
        }
      }
      case END_ELEMENT -> {
        flush();
        hash.update(END);
        ended = --depth < 0;
      }
      case END_DOCUMENT -> ended = true;
      default -> {
        // Comments and processing instructions mean nothing to the service.
      }
    }
    return event;
  }

  private void begin() {
    flush();
    if (depth++ == 0 && elements++ == 0) {
      first = super.getName();
    }
    hash.update(START);
    byte[] included = super.getName().equals(INCLUDE) ? attached.hash(super.getAttributeValue(null, "href")) : null;
    if (included != null) {
      update(ATTACHMENT, included);
      return;
    }
    update(super.getNamespaceURI());
    update(super.getLocalName());
    Map<String, String> attributes = new TreeMap<>();
    for (int i = 0; i < super.getAttributeCount(); i++) {
      String namespace = super.getAttributeNamespace(i);
      // Ids of signed parts differ in each message.
      if (!SECURITY_UTILITY.equals(namespace)) {
        attributes.put((namespace == null ? "" : namespace) + " " + super.getAttributeLocalName(i), super.getAttributeValue(i));
      }
    }
    attributes.forEach((name, value) -> {
      byte[] referred = attached.hash(value);
      if (referred == null) {
        hash.update(ATTRIBUTE);
        update(name);
        update(value);
      } else {
        update(ATTACHMENT_IN_ATTRIBUTE, referred);
        update(name);
      }
    });
  }

  private void flush() {
    if (text.length() > 0) {
      byte[] referred = attached.hash(text);
      if (referred == null) {
        hash.update(TEXT);
        update(text.toString());
      } else {
        // WS-I's swaRef: the text is the reference.
        update(ATTACHMENT, referred);
      }
      text.setLength(0);
    }
  }

  private void update(byte[] kind, byte[] hashOfAttachment) {
    hash.update(kind);
    hash.update(hashOfAttachment);
  }

  /** Hashes a text after its length, so that different lists of texts never hash the same bytes. */
  private void update(String part) {
    byte[] bytes = (part == null ? "" : part).getBytes(StandardCharsets.UTF_8);
    int length = bytes.length;
    hash.update(new byte[] {(byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length});
    hash.update(bytes);
  }
}
