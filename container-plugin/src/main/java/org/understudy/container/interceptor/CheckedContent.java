package org.understudy.container.interceptor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;
import org.apache.cxf.binding.soap.SoapFault;

/** A request that is checked by {@link ContentChecks} while the service's stack reads it. For one thread. */
final class CheckedContent extends StreamReaderDelegate {
  /** Envelope, Body, and the operation's element. */
  private static final int OPERATION_DEPTH = 3;

  /** An element that needs some others in it. */
  private record Needy(int depth, Set<QName> missing) {}

  private final PrimitiveTypes types;
  private final QName sender;
  private final StringBuilder text = new StringBuilder();
  /** Of the element that started last; null when it is not primitive, or has ended. */
  private PrimitiveTypes.Type type;
  /** Open elements that lack something, the innermost first. */
  private final Deque<Needy> needy = new ArrayDeque<>();
  /** Of the element that was begun or ended last: that of its begin and of its end are equal. */
  private int depth;
  private boolean ended;
  /** In the Body, or behind it. */
  private boolean inBody;
  private boolean goesOn;
  private int operations;
  /** The parts of an operation of style RPC, in which the reading is; else none. */
  private Map<String, PrimitiveTypes.Type> parts = Map.of();

  CheckedContent(XMLStreamReader in, PrimitiveTypes types, QName sender) {
    super(in);
    this.types = types;
    this.sender = sender;
    this.depth = in.isStartElement() ? 1 : 0;
  }

  /** Content of a Body whose reader stands on the operation's element, or behind an empty Body. */
  static CheckedContent ofBody(XMLStreamReader in, PrimitiveTypes types, QName sender) {
    CheckedContent content = new CheckedContent(in, types, sender);
    content.depth = OPERATION_DEPTH - 1;
    content.inBody = true;
    if (in.isStartElement()) {
      content.depth++;
      content.begin();
    }
    return content;
  }

  @Override
  public int next() throws XMLStreamException {
    int event = super.next();
    if (type != null && (event == CHARACTERS || event == CDATA || event == SPACE)) {
      text.append(super.getText());
    }
    return seen(event);
  }

  @Override
  public int nextTag() throws XMLStreamException {
    return seen(super.nextTag());
  }

  @Override
  public String getElementText() throws XMLStreamException {
    String all = super.getElementText();
    text.setLength(0);
    text.append(all);
    seen(END_ELEMENT);
    return all;
  }

  /**
   * Reads on to the end of the message.
   *
   * @return whether the Body holds at most one element and is the last part; what an empty one requests is decided before
   * @throws XMLStreamException when the message is not well-formed
   */
  boolean isWhole() throws XMLStreamException {
    while (hasNext()) {
      next();
    }
    return operations <= 1 && !goesOn;
  }

  private int seen(int event) {
    if (event == START_ELEMENT) {
      depth += ended ? 0 : 1;
      ended = false;
      begin();
    } else if (event == END_ELEMENT) {
      depth -= ended ? 1 : 0;
      ended = true;
      end();
    }
    return event;
  }

  private void begin() {
    QName name = super.getName();
    if (depth == OPERATION_DEPTH && inBody) {
      operations++;
      parts = types.parts(name);
    } else if (depth == OPERATION_DEPTH - 1) {
      goesOn |= inBody;
      inBody |= name.getLocalPart().equals("Body");
    }
    Needy around = needy.peek();
    if (around != null && around.depth() == depth - 1) {
      around.missing().remove(parts.isEmpty() ? name : new QName(name.getLocalPart()));
    }
    boolean nil = depth != OPERATION_DEPTH && isNil();
    boolean part = depth == OPERATION_DEPTH + 1 && !parts.isEmpty();
    type = nil ? null : part ? parts.get(name.getLocalPart()) : types.type(name);
    text.setLength(0);
    Set<QName> required = nil ? Set.of() : types.required(name);
    if (!required.isEmpty()) {
      needy.push(new Needy(depth, new HashSet<>(required)));
    }
  }

  private boolean isNil() {
    String nil = super.getAttributeValue(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil");
    return nil != null && (nil.strip().equals("true") || nil.strip().equals("1"));
  }

  private void end() {
    if (type != null) {
      PrimitiveTypes.Type due = type;
      type = null;
      if (!due.accepts(text.toString().strip())) {
        throw new SoapFault(
            "The content of the element " + super.getLocalName() + " is not a valid xs:" + due.name() + ".", sender);
      }
    }
    Needy ending = needy.peek();
    if (ending != null && ending.depth() == depth) {
      needy.pop();
      if (!ending.missing().isEmpty()) {
        QName missing = ending.missing().iterator().next();
        throw new SoapFault(
            "The element " + super.getLocalName() + " lacks the element " + missing.getLocalPart() + ".", sender);
      }
    }
  }

  private boolean isIgnored(String namespace, String name) {
    return depth == OPERATION_DEPTH
        && "nil".equals(name)
        && XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI.equals(namespace);
  }

  @Override
  public String getAttributeValue(int index) {
    return isIgnored(super.getAttributeNamespace(index), super.getAttributeLocalName(index))
        ? "false"
        : super.getAttributeValue(index);
  }

  @Override
  public String getAttributeValue(String namespace, String name) {
    return isIgnored(namespace, name) ? null : super.getAttributeValue(namespace, name);
  }
}
