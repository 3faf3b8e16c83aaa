package org.understudy.notification.xpath;

import java.util.List;

/** The result of an expression (XPath 1.0, section 1). Immutable. */
public sealed interface XPathResult {
  /**
   * Nodes.
   *
   * @param nodes in document order, each once
   */
  record NodeSet(List<XmlNode> nodes) implements XPathResult {
    /** Copies the list. */
    public NodeSet {
      nodes = List.copyOf(nodes);
    }

    @Override
    public boolean asBoolean() {
      return !nodes.isEmpty();
    }

    @Override
    public String asString() {
      return nodes.isEmpty() ? "" : nodes.get(0).text();
    }
  }

  /**
   * A string.
   *
   * @param value the string
   */
  record Text(String value) implements XPathResult {
    @Override
    public boolean asBoolean() {
      return !value.isEmpty();
    }

    @Override
    public String asString() {
      return value;
    }
  }

  /**
   * A number.
   *
   * @param value may be infinite or no number
   * @param asString as section 4.2 writes numbers
   */
  record Numeric(double value, String asString) implements XPathResult {
    @Override
    public boolean asBoolean() {
      return value != 0 && !Double.isNaN(value);
    }
  }

  /**
   * A truth value.
   *
   * @param value the value
   */
  record Truth(boolean value) implements XPathResult {
    @Override
    public boolean asBoolean() {
      return value;
    }

    @Override
    public String asString() {
      return Boolean.toString(value);
    }
  }

  /** Converts as the function {@code boolean()} does (section 4.3). */
  boolean asBoolean();

  /** Converts as the function {@code string()} does (section 4.2). */
  String asString();
}
