package org.understudy.container.interceptor;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;

/** What an element of one type can contain, as far as numbers and booleans matter. Not changed after its schemas have been read. */
final class ElementContent {
  /** The content of an element of which nothing is known. */
  static final ElementContent UNKNOWN = new ElementContent(null);

  private final Map<QName, DeclaredElement> elements = new HashMap<>();
  private final Map<QName, PrimitiveType> attributes = new HashMap<>();
  private final Set<QName> required = new HashSet<>();
  private PrimitiveType value;
  private boolean anyKnown;
  private boolean unqualified;

  /**
   * An element at its place.
   *
   * @param content of its declared type
   * @param nillable whether {@code xsi:nil} is a value of it
   * @param hasValueIfEmpty whether it has a default or fixed value, which an empty element stands for
   */
  record DeclaredElement(ElementContent content, boolean nillable, boolean hasValueIfEmpty) {
    static final DeclaredElement UNKNOWN = new DeclaredElement(ElementContent.UNKNOWN, true, true);
  }

  /** @param value the type of its text, or null */
  ElementContent(PrimitiveType value) {
    this.value = value;
  }

  /** The content of an operation of style RPC, whose parts have names without a namespace. */
  static ElementContent ofParts() {
    ElementContent parts = new ElementContent(null);
    parts.unqualified = true;
    return parts;
  }

  void setValue(PrimitiveType type) {
    value = type;
  }

  /** Permits elements of other names, which are read by their own declarations if they have any. */
  void permitAnyKnown() {
    anyKnown = true;
  }

  void add(QName name, DeclaredElement element) {
    elements.put(name, element);
  }

  /** Rejects the content without this element. */
  void require(QName name) {
    required.add(name);
  }

  void addAttribute(QName name, PrimitiveType type) {
    attributes.put(name, type);
  }

  /** Returns the type of the text; null when it is neither a number nor a boolean. */
  PrimitiveType value() {
    return value;
  }

  /** Whether elements of other names are read by their own declarations. Otherwise they are not looked at. */
  boolean permitsAnyKnown() {
    return anyKnown;
  }

  Map<QName, PrimitiveType> attributes() {
    return attributes;
  }

  /** Returns the numbers and booleans without a default that the content must have. */
  Set<QName> required() {
    return required;
  }

  /** Returns the name by which an element is declared here. */
  QName declaredName(QName name) {
    return unqualified ? new QName(name.getLocalPart()) : name;
  }

  /** Returns a declared element, or null. */
  DeclaredElement element(QName declaredName) {
    return elements.get(declaredName);
  }
}
