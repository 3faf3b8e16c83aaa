package org.understudy.container.interceptor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;
import org.apache.cxf.binding.soap.SoapFault;
import org.understudy.container.interceptor.ElementContent.DeclaredElement;
import org.understudy.container.operation.Operations;
import org.understudy.soap.envelope.XsBoolean;

/** A request that is checked by {@link ContentChecks} while the service's stack reads it. For one thread. */
final class CheckedContent extends StreamReaderDelegate {
  /** Envelope, Body, and the operation's element; or Envelope, Header, and a block. */
  private static final int OPERATION_DEPTH = 3;
  private static final OpenElement UNCHECKED = new OpenElement(DeclaredElement.UNKNOWN, ElementContent.UNKNOWN, false, Set.of());

  /**
   * An element that has started.
   *
   * @param content of its type, which may extend the declared one
   * @param incomplete whether its content may lack what is required
   * @param missing the required elements that have not been read yet
   */
  private record OpenElement(DeclaredElement declared, ElementContent content, boolean incomplete, Set<QName> missing) {}

  private final MessageSchema schema;
  private final QName sender;
  private final StringBuilder text = new StringBuilder();
  /** The innermost first. */
  private final Deque<OpenElement> open = new ArrayDeque<>();
  /** What is wrong with header blocks, by their names: only an operation that reads them fails. */
  private Map<QName, SoapFault> headerFaults = new HashMap<>();
  private QName header;
  /** Whether the Body has started. */
  private boolean inBody;
  private boolean contentAfterBody;
  private int operations;

  CheckedContent(XMLStreamReader in, MessageSchema schema, QName sender) {
    super(in);
    this.schema = schema;
    this.sender = sender;
    if (in.isStartElement()) {
      open.push(UNCHECKED);
    }
  }

  /**
   * Checks the content of a Body. The reader stands on the operation's element, or after an empty Body.
   *
   * @param envelope the envelope as it was read before, whose headers count; null when it was not
   */
  static CheckedContent ofBody(XMLStreamReader in, MessageSchema schema, QName sender, CheckedContent envelope) {
    CheckedContent content = new CheckedContent(in, schema, sender);
    content.open.clear();
    content.open.push(UNCHECKED);
    content.open.push(UNCHECKED);
    content.inBody = true;
    if (envelope != null) {
      content.headerFaults = envelope.headerFaults;
    }
    if (in.isStartElement()) {
      content.begin();
    }
    return content;
  }

  @Override
  public int next() throws XMLStreamException {
    int event = super.next();
    if (event == CHARACTERS || event == CDATA || event == SPACE) {
      if (!open.isEmpty() && open.peek().content().value() != null) {
        text.append(super.getText());
      }
      return event;
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
      begin();
    } else if (event == END_ELEMENT) {
      end();
    }
    return event;
  }

  private void begin() {
    QName name = super.getName();
    int depth = open.size() + 1;
    text.setLength(0);
    if (depth < OPERATION_DEPTH) {
      if (depth == OPERATION_DEPTH - 1) {
        contentAfterBody |= inBody;
        inBody |= name.getLocalPart().equals("Body");
      }
      open.push(UNCHECKED);
    } else if (depth == OPERATION_DEPTH && inBody) {
      operations++;
      requireHeaders(name);
      open.push(opened(schema.operation(name), false));
    } else if (depth == OPERATION_DEPTH) {
      header = name;
      open.push(opened(schema.element(name), false));
    } else {
      open.push(within(open.peek(), name));
    }
  }

  private OpenElement within(OpenElement around, QName name) {
    ElementContent content = around.content();
    if (content.value() != null) {
      fail("The element " + name.getLocalPart() + " stands in the content of an xs:" + content.value().name() + ".");
      return UNCHECKED;
    }
    QName declaredName = content.declaredName(name);
    DeclaredElement declared = content.element(declaredName);
    if (declared == null) {
      return content.permitsAnyKnown() ? opened(schema.element(name), true) : UNCHECKED;
    }
    boolean first = !around.missing().isEmpty() && around.missing().remove(declaredName);
    // The data binding would make it 0 or false.
    if (first && isNil()) {
      fail("The element " + name.getLocalPart() + " must not be nil.");
    }
    return opened(declared, around.incomplete());
  }

  /** @param incomplete whether the content may lack what is required */
  private OpenElement opened(DeclaredElement declared, boolean incomplete) {
    boolean ignoresNil = inBody && open.size() + 1 == OPERATION_DEPTH && isNilIgnored(declared);
    if (declared == DeclaredElement.UNKNOWN || (isNil() && !ignoresNil)) {
      return UNCHECKED;
    }
    ElementContent content = actualContent(declared.content());
    content.attributes().forEach((name, type) -> {
      String value = super.getAttributeValue(name.getNamespaceURI(), name.getLocalPart());
      if (value != null && !type.accepts(value)) {
        fail("The attribute " + name.getLocalPart() + " of the element " + super.getLocalName() + " is not a valid xs:" + type.name()
            + ".");
      }
    });
    Set<QName> missing = incomplete || content.required().isEmpty() ? Set.of() : new HashSet<>(content.required());
    return new OpenElement(declared, content, incomplete, missing);
  }

  /** Follows {@code xsi:type}, except for a number or boolean: those keep their declared type. */
  private ElementContent actualContent(ElementContent declared) {
    String type = declared.value() == null ? super.getAttributeValue(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "type") : null;
    if (type == null) {
      return declared;
    }
    String name = type.trim();
    int colon = name.indexOf(':');
    String namespace = super.getNamespaceURI(colon < 0 ? XMLConstants.DEFAULT_NS_PREFIX : name.substring(0, colon));
    ElementContent actual = schema.type(new QName(namespace, name.substring(colon + 1)));
    return actual == null ? declared : actual;
  }

  private boolean isNil() {
    return XsBoolean.isTrue(super.getAttributeValue(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil"));
  }

  private void end() {
    // A reader of a Body alone may end elements that it has not started.
    OpenElement ending = open.isEmpty() ? UNCHECKED : open.pop();
    PrimitiveType value = ending.content().value();
    boolean replaced = text.length() == 0 && ending.declared().hasValueIfEmpty();
    if (value != null && !replaced && !value.accepts(text.toString())) {
      fail("The content of the element " + super.getLocalName() + " is not a valid xs:" + value.name() + ".");
    }
    text.setLength(0);
    if (!ending.missing().isEmpty()) {
      QName missing = ending.missing().iterator().next();
      fail("The element " + super.getLocalName() + " lacks the element " + missing.getLocalPart() + ".");
    }
    if (inBody && open.size() == OPERATION_DEPTH - 2 && operations == 0) {
      requireHeaders(Operations.EMPTY_BODY);
    }
  }

  private void fail(String reason) {
    SoapFault fault = new SoapFault(reason, sender);
    if (inBody) {
      throw fault;
    }
    headerFaults.putIfAbsent(header, fault);
  }

  private void requireHeaders(QName operation) {
    headerFaults.forEach((name, fault) -> {
      if (schema.readsHeader(operation, name)) {
        throw fault;
      }
    });
  }

  /**
   * The data binding would make a null of the parameters of an operation, unless the element is declared so. Endpoints of the application,
   * about which nothing is known, see what they see without replication.
   */
  private static boolean isNilIgnored(DeclaredElement operation) {
    return operation != DeclaredElement.UNKNOWN && !operation.nillable();
  }

  private boolean isIgnored(String namespace, String name) {
    return inBody
        && open.size() == OPERATION_DEPTH
        && "nil".equals(name)
        && XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI.equals(namespace)
        && isNilIgnored(open.peek().declared());
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
