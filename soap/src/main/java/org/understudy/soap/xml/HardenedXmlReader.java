package org.understudy.soap.xml;

import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.stax.WstxInputFactory;
import java.io.ByteArrayInputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.codehaus.stax2.XMLInputFactory2;
import org.codehaus.stax2.XMLStreamReader2;

/**
 * Opens StAX readers on untrusted bytes: enforces limits, and refuses a DOCTYPE and external entities. Thread-safe; keep
 * it.
 */
public final class HardenedXmlReader {
  private static final HardenedXmlReader BOUNDED = new HardenedXmlReader(XmlLimits.ofBounded(10_000));
  private static final HardenedXmlReader SERVICES = new HardenedXmlReader(XmlLimits.ofServices());
  private static final HardenedXmlReader COPIES = new HardenedXmlReader(XmlLimits.ofCopies());

  private final WstxInputFactory factory = new WstxInputFactory();

  /** @param limits to enforce */
  public HardenedXmlReader(XmlLimits limits) {
    // Errors are XMLStreamExceptions where they are read, and no later RuntimeExceptions.
    factory.setProperty(XMLInputFactory2.P_LAZY_PARSING, false);
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(WstxInputProperties.P_MAX_ELEMENT_DEPTH, limits.depth());
    factory.setProperty(WstxInputProperties.P_MAX_ELEMENT_COUNT, limits.elements());
    factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTES_PER_ELEMENT, limits.attributes());
    factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTE_SIZE, limits.attributeChars());
    factory.setProperty(WstxInputProperties.P_MAX_TEXT_LENGTH, limits.textChars());
    factory.setProperty(WstxInputProperties.P_MAX_CHARACTERS, limits.totalChars());
  }

  /**
   * Opens a reader. Closing it is optional and gives buffers back.
   *
   * @param charset the name of the encoding when the transport declares it; null: found in the document
   * @throws XMLStreamException when the document's start is invalid, or the encoding is unknown
   */
  public XMLStreamReader2 open(byte[] bytes, int offset, int length, String charset) throws XMLStreamException {
    ByteArrayInputStream stream = new ByteArrayInputStream(bytes, offset, length);
    return (XMLStreamReader2)
        (charset == null
            ? factory.createXMLStreamReader(stream)
            : factory.createXMLStreamReader(stream, charset));
  }

  /**
   * Opens a reader on an envelope with content of a service, in UTF-8: with {@link XmlLimits#ofServices}.
   *
   * @throws XMLStreamException when the document's start is invalid
   */
  public static XMLStreamReader2 openService(byte[] bytes, int length) throws XMLStreamException {
    return SERVICES.open(bytes, 0, length, "UTF-8");
  }

  /**
   * Opens a reader on what this application has written, in UTF-8: nothing that a service has answered may be cut on its way out.
   *
   * @throws XMLStreamException when the document's start is invalid
   */
  public static XMLStreamReader2 openCopy(byte[] bytes, int length) throws XMLStreamException {
    return COPIES.open(bytes, 0, length, "UTF-8");
  }

  /**
   * Opens a reader on a message of the plugin's own, in UTF-8, whose length the transport limits already: at most 10,000 elements.
   *
   * @throws XMLStreamException when the document's start is invalid
   */
  public static XMLStreamReader2 openBounded(byte[] bytes, int length) throws XMLStreamException {
    return BOUNDED.open(bytes, 0, length, "UTF-8");
  }

  /**
   * Moves to the root element.
   *
   * @throws XMLStreamException when there is none, or a DOCTYPE
   */
  public static void toRoot(XMLStreamReader in) throws XMLStreamException {
    while (in.hasNext()) {
      switch (in.next()) {
        case XMLStreamConstants.DTD -> throw new XMLStreamException("A DOCTYPE is not allowed.");
        case XMLStreamConstants.PROCESSING_INSTRUCTION ->
            throw new XMLStreamException("A processing instruction is not allowed.");
        case XMLStreamConstants.START_ELEMENT -> {
          return;
        }
        default -> {
          // White space and comments.
        }
      }
    }
    throw new XMLStreamException("The document has no element.");
  }

  /** The reason in one line; parsers add the location in further lines. */
  public static String reason(Exception e) {
    return e.getMessage() == null ? "no reason given" : e.getMessage().lines().findFirst().orElse("");
  }
}
