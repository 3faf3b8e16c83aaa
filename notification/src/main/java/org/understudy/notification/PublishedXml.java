package org.understudy.notification;

import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;

/** Checks what is published before it is copied, unread, into every consumer's envelope. Thread-safe. */
final class PublishedXml {
  private final int maximumBytes;
  private final HardenedXmlReader intake;

  PublishedXml(int maximumBytes) {
    this.maximumBytes = maximumBytes;
    this.intake = new HardenedXmlReader(XmlLimits.ofMessages(maximumBytes));
  }

  void check(byte[] xml) {
    if (xml.length > maximumBytes) {
      throw new IllegalArgumentException(
          "A message of " + xml.length + " bytes; " + maximumBytes + " is the most.");
    }
    if (xml.length < 2 || xml[0] != '<' || xml[1] == '?') {
      throw new IllegalArgumentException("A message starts with its element, without an XML declaration.");
    }
    try {
      XMLStreamReader2 in = intake.open(xml, 0, xml.length, "UTF-8");
      HardenedXmlReader.toRoot(in);
      while (in.hasNext()) {
        in.next();
      }
      in.close();
    } catch (XMLStreamException e) {
      throw new IllegalArgumentException("The message is no well-formed XML element: " + e.getMessage(), e);
    }
  }
}
