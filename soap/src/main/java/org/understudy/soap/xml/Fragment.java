package org.understudy.soap.xml;

import com.ctc.wstx.api.WstxOutputProperties;
import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.ByteArrayOutputStream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamWriter2;

/** Writes pieces of XML to memory, in UTF-8, without an XML declaration. */
public final class Fragment {
  private static final WstxOutputFactory FACTORY = new WstxOutputFactory();

  static {
    FACTORY.setProperty(XMLOutputFactory.IS_REPAIRING_NAMESPACES, false);
    // A fragment need not be a document.
    FACTORY.setProperty(WstxOutputProperties.P_OUTPUT_VALIDATE_STRUCTURE, false);
  }

  private Fragment() {}

  /** Writes something. */
  @FunctionalInterface
  public interface Writing {
    /**
     * Writes; the writer does not repair namespaces, and must not be closed.
     *
     * @throws XMLStreamException when the output is invalid XML
     */
    void to(XMLStreamWriter2 out) throws XMLStreamException;
  }

  /**
   * The written bytes.
   *
   * @throws IllegalStateException when they are invalid XML
   */
  public static byte[] of(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try {
      XMLStreamWriter2 out = (XMLStreamWriter2) FACTORY.createXMLStreamWriter(bytes, "UTF-8");
      writing.to(out);
      out.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("A piece of XML could not be written: " + e.getMessage(), e);
    }
    return bytes.toByteArray();
  }
}
