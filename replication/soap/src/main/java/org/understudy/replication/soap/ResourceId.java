package org.understudy.replication.soap;

import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.xml.XmlText;

/** The reference parameter that names a resource in endpoint references, beside the id in the URL. */
public final class ResourceId {
  private ResourceId() {}

  /** Returns the parameter as an element that declares its prefix. */
  public static String of(String id) {
    String name = ReplicationNames.RESOURCE_ID.getLocalPart();
    return ReplicationNames.open(name) + XmlText.escape(id) + "</ur:" + name + ">";
  }

  /**
   * Reads the parameter from a header block of a request.
   *
   * @param in on the start of the block
   * @throws IllegalArgumentException when it is too long; the message is a sentence for the sender
   */
  public static String read(XMLStreamReader2 in) throws XMLStreamException {
    return Values.text(in);
  }
}
