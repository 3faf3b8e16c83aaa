package org.understudy.notification.topic;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.NamespaceContext;
import javax.xml.namespace.QName;
import org.understudy.notification.expression.Expression;

/**
 * The name of one topic: a root topic in a topic namespace and the path below it (WS-Topics 1.3, section 8.2). A step below
 * the root without a namespace belongs to the namespace of the root, and a step with that namespace loses it here; a step
 * with another namespace was added to the tree by that namespace. Immutable.
 *
 * @param steps the root first; up to 32 steps, each local part an NCName; the root's namespace is empty for the ad-hoc
 *     topic namespace; no steps in {@link #NONE} alone
 */
public record TopicPath(List<QName> steps) {
  /** The path of a message without a topic (WS-BaseNotification 1.3, section 3.2): no expression selects it. */
  public static final TopicPath NONE = new TopicPath(List.of());
  /** The longest text that is read as an expression, in characters. */
  public static final int MAX_TEXT_CHARS = 1_024;

  private static final int MAX_STEPS = 32;

  /** @throws IllegalArgumentException when there are too many steps, or one is not an NCName */
  public TopicPath {
    steps = inNamespaceOfRoot(steps);
    if (steps.size() > MAX_STEPS) {
      throw new IllegalArgumentException("A topic has up to " + MAX_STEPS + " steps, not " + steps.size() + ".");
    }
    for (QName step : steps) {
      if (!isNcName(step.getLocalPart())) {
        throw new IllegalArgumentException("Invalid topic name: '" + step.getLocalPart() + "'.");
      }
    }
  }

  private static List<QName> inNamespaceOfRoot(List<QName> steps) {
    List<QName> same = new ArrayList<>(steps.size());
    for (QName step : steps) {
      same.add(same.isEmpty() ? step : belowRoot(step, same.get(0).getNamespaceURI()));
    }
    return List.copyOf(same);
  }

  static QName belowRoot(QName step, String namespace) {
    return step.getNamespaceURI().equals(namespace) ? new QName(step.getLocalPart()) : step;
  }

  /**
   * A topic whose steps all belong to one namespace.
   *
   * @param namespace the topic namespace; empty for the ad-hoc one
   * @param path NCNames separated by slashes, the root first
   * @throws IllegalArgumentException as the constructor
   */
  public static TopicPath of(String namespace, String path) {
    List<QName> steps = new ArrayList<>();
    for (String name : path.split("/", -1)) {
      steps.add(new QName(steps.isEmpty() ? namespace : "", name));
    }
    return new TopicPath(steps);
  }

  /**
   * Reads a concrete topic path, such as {@code tns:stock/price}.
   *
   * @param text the path; space around it is ignored; at most {@link #MAX_TEXT_CHARS} characters
   * @param prefixes the prefixes in scope where the text stood; a name without a prefix has no namespace
   * @throws IllegalArgumentException when the text is not a concrete path or a prefix is not declared
   */
  public static TopicPath parse(String text, NamespaceContext prefixes) {
    if (text.length() > MAX_TEXT_CHARS) {
      throw new IllegalArgumentException("The topic expression is longer than " + MAX_TEXT_CHARS + " characters.");
    }
    List<QName> steps = new ArrayList<>(4);
    for (String step : text.strip().split("/", -1)) {
      steps.add(step(step, prefixes));
    }
    return new TopicPath(steps);
  }

  /** The root topic; there is none in {@link #NONE}. */
  public QName root() {
    return steps.get(0);
  }

  /** The path as an expression of the Concrete dialect, with prefixes of its own. */
  public Expression expression() {
    Map<String, String> namespaces = new LinkedHashMap<>();
    StringBuilder text = new StringBuilder(48);
    for (int i = 0; i < steps.size(); i++) {
      QName step = steps.get(i);
      text.append(i == 0 ? "" : "/");
      if (!step.getNamespaceURI().isEmpty()) {
        // Each step that needs a prefix gets its own: simpler than sharing, and rarely more than the root's.
        String prefix = "t" + i;
        namespaces.put(prefix, step.getNamespaceURI());
        text.append(prefix).append(':');
      }
      text.append(step.getLocalPart());
    }
    return new Expression(TopicDialect.CONCRETE.uri(), text.toString(), namespaces);
  }

  /** For logs: {@code {namespace}root/child}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (QName step : steps) {
      text.append(text.length() == 0 ? "" : "/").append(step);
    }
    return text.toString();
  }

  static QName step(String text, NamespaceContext prefixes) {
    int colon = text.indexOf(':');
    return colon < 0
        ? new QName(text)
        : new QName(namespace(text.substring(0, colon), prefixes), text.substring(colon + 1));
  }

  static String namespace(String prefix, NamespaceContext prefixes) {
    String namespace = isNcName(prefix) ? prefixes.getNamespaceURI(prefix) : null;
    if (namespace == null || namespace.isEmpty()) {
      throw new IllegalArgumentException("The prefix '" + prefix + "' is not declared.");
    }
    return namespace;
  }

  static boolean isNcName(String name) {
    if (name.isEmpty() || !(Character.isLetter(name.codePointAt(0)) || name.charAt(0) == '_')) {
      return false;
    }
    return name.codePoints().allMatch(TopicPath::isNameCharacter);
  }

  private static boolean isNameCharacter(int c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.' || c == 0xB7
        || Character.getType(c) == Character.NON_SPACING_MARK;
  }
}
