package org.understudy.container.request;

import javax.xml.XMLConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/**
 * Ignores {@code xsi:nil} on an operation's element, where the data binding would make a null of it that the service's stack
 * does not expect. SOAP::Lite sends it for calls without arguments.
 */
public final class NilOperations extends AbstractPhaseInterceptor<Message> {
  /** Envelope, Body, and the operation's element. */
  private static final int OPERATION_DEPTH = 3;

  public NilOperations() {
    super(Phase.POST_STREAM);
    addAfter(StaxInInterceptor.class.getName());
  }

  @Override
  public void handleMessage(Message message) {
    XMLStreamReader in = message.getContent(XMLStreamReader.class);
    if (in != null) {
      message.setContent(XMLStreamReader.class, new Reader(in));
    }
  }

  private static final class Reader extends StreamReaderDelegate {
    private int depth;
    private boolean ended;

    Reader(XMLStreamReader in) {
      super(in);
      depth = in.isStartElement() ? 1 : 0;
    }

    @Override
    public int next() throws XMLStreamException {
      return counted(super.next());
    }

    @Override
    public int nextTag() throws XMLStreamException {
      return counted(super.nextTag());
    }

    @Override
    public String getElementText() throws XMLStreamException {
      String text = super.getElementText();
      counted(END_ELEMENT);
      return text;
    }

    /** The depth of an element is that of its begin and of its end. */
    private int counted(int event) {
      if (ended) {
        depth--;
      }
      ended = event == END_ELEMENT;
      if (event == START_ELEMENT) {
        depth++;
      }
      return event;
    }

    private boolean isNil(String namespace, String name) {
      return depth == OPERATION_DEPTH
          && "nil".equals(name)
          && XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI.equals(namespace);
    }

    private boolean isNil(int index) {
      return isNil(super.getAttributeNamespace(index), super.getAttributeLocalName(index));
    }

    @Override
    public String getAttributeValue(int index) {
      return isNil(index) ? "false" : super.getAttributeValue(index);
    }

    @Override
    public String getAttributeValue(String namespace, String name) {
      return isNil(namespace, name) ? null : super.getAttributeValue(namespace, name);
    }
  }
}
