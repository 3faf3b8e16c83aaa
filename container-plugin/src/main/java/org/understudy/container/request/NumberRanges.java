package org.understudy.container.request;

import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.ws.commons.schema.XmlSchemaCollection;

/**
 * Refuses integers that their type cannot hold, and none where one is due. The data binding would wrap the first around (4294967297
 * becomes 1 in an {@code xs:int}) and take the second for 0, and the service would execute something that no one asked for.
 */
public final class NumberRanges extends AbstractPhaseInterceptor<SoapMessage> {
  private final Map<QName, NumberTypes.Range> ranges;

  /** @param schemas of the service's messages */
  public NumberRanges(XmlSchemaCollection schemas) {
    super(Phase.POST_STREAM);
    addAfter(StaxInInterceptor.class.getName());
    this.ranges = NumberTypes.of(schemas);
  }

  @Override
  public void handleMessage(SoapMessage message) {
    XMLStreamReader in = message.getContent(XMLStreamReader.class);
    if (in != null && !ranges.isEmpty()) {
      message.setContent(XMLStreamReader.class, new Reader(in, ranges, message.getVersion().getSender()));
    }
  }

  private static final class Reader extends StreamReaderDelegate {
    private final Map<QName, NumberTypes.Range> ranges;
    private final QName sender;
    private final StringBuilder text = new StringBuilder();
    /** Of the element that was begun last; null when it is no number, or has ended. */
    private NumberTypes.Range range;

    Reader(XMLStreamReader in, Map<QName, NumberTypes.Range> ranges, QName sender) {
      super(in);
      this.ranges = ranges;
      this.sender = sender;
    }

    @Override
    public int next() throws XMLStreamException {
      int event = super.next();
      if (event == START_ELEMENT) {
        begin();
      } else if (range != null && (event == CHARACTERS || event == CDATA || event == SPACE)) {
        text.append(super.getText());
      } else if (range != null && event == END_ELEMENT) {
        check(text.toString());
      }
      return event;
    }

    @Override
    public int nextTag() throws XMLStreamException {
      int event = super.nextTag();
      if (event == START_ELEMENT) {
        begin();
      }
      return event;
    }

    @Override
    public String getElementText() throws XMLStreamException {
      String all = super.getElementText();
      if (range != null) {
        check(all);
      }
      return all;
    }

    private void begin() {
      range = ranges.get(super.getName());
      text.setLength(0);
      String nil = range == null ? null : super.getAttributeValue(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil");
      if (nil != null && (nil.strip().equals("true") || nil.strip().equals("1"))) {
        range = null;
      }
    }

    private void check(String content) {
      NumberTypes.Range due = range;
      range = null;
      String number = content.strip();
      try {
        long value = Long.parseLong(number);
        if (value >= due.least() && value <= due.greatest()) {
          return;
        }
      } catch (NumberFormatException e) {
        // No integer, or none that fits into 64 bits.
      }
      throw new SoapFault("The content of the element " + super.getLocalName() + " is no xs:" + due.type() + ".", sender);
    }
  }
}
