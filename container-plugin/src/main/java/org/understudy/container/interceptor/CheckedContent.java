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
import org.understudy.soap.envelope.XsBoolean;

/** A request that is checked by {@link ContentChecks} while the service's stack reads it. For one thread. */
final class CheckedContent extends StreamReaderDelegate {
  /** Envelope, Body, and the operation's element. */
  private static final int OPERATION_DEPTH = 3;

  /** An open element with required child elements that have not been read yet. */
  private record IncompleteElement(int depth, Set<QName> missing) {}

  private final PrimitiveTypes types;
  private final QName sender;
  private final StringBuilder text = new StringBuilder();
  /** The type of the element that started last; null when it is not primitive, or has ended. */
  private PrimitiveTypes.Type type;
  /** Open elements with required children, the innermost first. */
  private final Deque<IncompleteElement> incomplete = new ArrayDeque<>();
  /** The depth of the element that started or ended last; equal at its start and its end. */
  private int depth;
  private boolean ended;
  /** Whether the Body has started. */
  private boolean inBody;
  private boolean contentAfterBody;
  private int operations;
  /** The parts of the current operation of style RPC; else empty. */
  private Map<String, PrimitiveTypes.Type> parts = Map.of();

  CheckedContent(XMLStreamReader in, PrimitiveTypes types, QName sender) {
    super(in);
    this.types = types;
    this.sender = sender;
    this.depth = in.isStartElement() ? 1 : 0;
  }

  /** Checks the content of a Body. The reader stands on the operation's element, or after an empty Body. */
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
    return handle(event);
  }

  @Override
  public int nextTag() throws XMLStreamException {
    return handle(super.nextTag());
  }

  @Override
  public String getElementText() throws XMLStreamException {
    String all = super.getElementText();
    text.setLength(0);
    text.append(all);
    handle(END_ELEMENT);
    return all;
  }

  /**
   * Reads on to the end of the message.
   *
   * @return whether the Body holds at most one element and is the last part of the envelope
   * @throws XMLStreamException when the message is not well-formed
   */
  boolean isWhole() throws XMLStreamException {
    while (hasNext()) {
      next();
    }
    return operations <= 1 && !contentAfterBody;
  }

  private int handle(int event) {
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
      contentAfterBody |= inBody;
      inBody |= name.getLocalPart().equals("Body");
    }
    boolean part = depth == OPERATION_DEPTH + 1 && !parts.isEmpty();
    boolean nil = depth != OPERATION_DEPTH && isNil();
    IncompleteElement around = incomplete.peek();
    if (around != null && around.depth() == depth - 1) {
      boolean first = around.missing().remove(part ? new QName(name.getLocalPart()) : name);
      // The data binding would make it 0 or false.
      if (first && nil) {
        throw new SoapFault("The element " + name.getLocalPart() + " must not be nil.", sender);
      }
    }
    type = nil ? null : part ? parts.get(name.getLocalPart()) : types.type(name);
    text.setLength(0);
    Set<QName> required = nil ? Set.of() : types.required(name);
    if (!required.isEmpty()) {
      incomplete.push(new IncompleteElement(depth, new HashSet<>(required)));
    }
  }

  private boolean isNil() {
    return XsBoolean.isTrue(super.getAttributeValue(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil"));
  }

  private void end() {
    if (type != null) {
      PrimitiveTypes.Type expected = type;
      type = null;
      if (!expected.accepts(text.toString().strip())) {
        throw new SoapFault(
            "The content of the element " + super.getLocalName() + " is not a valid xs:" + expected.name() + ".", sender);
      }
    }
    IncompleteElement ending = incomplete.peek();
    if (ending != null && ending.depth() == depth) {
      incomplete.pop();
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
