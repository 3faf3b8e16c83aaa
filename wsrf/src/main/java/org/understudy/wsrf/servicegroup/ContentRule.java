package org.understudy.wsrf.servicegroup;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import org.understudy.soap.xml.XmlText;

/**
 * A membership rule (MembershipContentRule, WS-ServiceGroup 1.2, section 4.1).
 *
 * @param interfaces that the member must implement; empty for any
 * @param elements that its entry's Content must hold; empty for any
 */
record ContentRule(List<QName> interfaces, List<QName> elements) {
  private static final String ANY = "any";
  private static final String ARROW = "->";

  ContentRule {
    interfaces = List.copyOf(interfaces);
    elements = List.copyOf(elements);
  }

  /**
   * Parses configured rules, separated by semicolons: each has the interfaces, an arrow, and the elements; names look like
   * {@code {namespace}local}, separated by spaces.
   *
   * @return none when everything is allowed
   * @throws IllegalArgumentException when the syntax is invalid
   */
  static List<ContentRule> parse(String text) {
    List<ContentRule> rules = new ArrayList<>();
    if (text.isBlank() || text.strip().equals(ANY)) {
      return rules;
    }
    for (String rule : text.split(";")) {
      int arrow = rule.indexOf(ARROW);
      if (arrow < 0) {
        throw new IllegalArgumentException(
            "The rule \"" + rule.strip() + "\" has no " + ARROW + " between interfaces and elements.");
      }
      rules.add(new ContentRule(names(rule.substring(0, arrow)), names(rule.substring(arrow + ARROW.length()))));
    }
    return rules;
  }

  private static List<QName> names(String text) {
    List<QName> names = new ArrayList<>();
    for (String name : text.strip().split("\\s+")) {
      if (!name.isEmpty()) {
        if (!name.matches("\\{[^{}]*\\}[^{}:]+")) {
          throw new IllegalArgumentException("\"" + name + "\" is not like {namespace}local.");
        }
        names.add(QName.valueOf(name));
      }
    }
    return names;
  }

  boolean allowsInterfaces(Set<QName> implemented) {
    return implemented.containsAll(interfaces);
  }

  boolean allowsContent(Set<QName> content) {
    return content.containsAll(elements);
  }

  void append(StringBuilder to) {
    StringBuilder declarations = new StringBuilder();
    StringBuilder attributes = new StringBuilder();
    if (!interfaces.isEmpty()) {
      attribute("MemberInterfaces", "i", interfaces, declarations, attributes);
    }
    attribute("ContentElements", "e", elements, declarations, attributes);
    to.append("<sg:MembershipContentRule xmlns:sg=\"").append(ServiceGroup.NAMESPACE).append('"');
    to.append(declarations).append(attributes).append("/>");
  }

  private static void attribute(
      String attribute, String prefix, List<QName> names, StringBuilder declarations, StringBuilder attributes) {
    List<String> written = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      QName name = names.get(i);
      if (name.getNamespaceURI().isEmpty()) {
        written.add(name.getLocalPart());
      } else {
        declarations.append(" xmlns:").append(prefix).append(i).append("=\"");
        declarations.append(XmlText.escape(name.getNamespaceURI())).append('"');
        written.add(prefix + i + ":" + name.getLocalPart());
      }
    }
    attributes.append(' ').append(attribute).append("=\"");
    attributes.append(XmlText.escape(String.join(" ", written))).append('"');
  }
}
