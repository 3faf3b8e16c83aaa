package org.understudy.notification.topic;

import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.NamespaceContext;
import javax.xml.namespace.QName;
import org.understudy.notification.expression.Expression;

/**
 * Selects topics with wildcards (WS-Topics 1.3, section 8.3): {@code *} is any topic of a level, {@code //} any number of
 * levels, {@code .} the topic itself, {@code |} either of two. So {@code t:stock//.} is stock and all below it, {@code
 * t:stock//*} all below it, {@code t://price} every topic price of the namespace. The steps below the root without a prefix
 * belong to the root's namespace, as in {@link TopicPath}; the wildcard does not look at namespaces below the root.
 */
public final class FullTopicExpression implements TopicExpression {
  private static final int MAX_ALTERNATIVES = 32;
  private static final int MAX_STEPS = 32;

  private final Expression source;
  private final List<Alternative> alternatives;

  private FullTopicExpression(Expression source, List<Alternative> alternatives) {
    this.source = source;
    this.alternatives = List.copyOf(alternatives);
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException when the text is not an expression of the Full dialect, or too long
   */
  static FullTopicExpression parse(Expression source) {
    if (source.text().length() > TopicPath.MAX_TEXT_CHARS) {
      throw new IllegalArgumentException("The topic expression is longer than " + TopicPath.MAX_TEXT_CHARS + " characters.");
    }
    List<Alternative> alternatives = new ArrayList<>();
    for (String text : source.text().strip().split("\\|", -1)) {
      if (alternatives.size() == MAX_ALTERNATIVES) {
        throw new IllegalArgumentException("The topic expression has more than " + MAX_ALTERNATIVES + " alternatives.");
      }
      alternatives.add(Alternative.parse(text.strip(), source.scope()));
    }
    return new FullTopicExpression(source, alternatives);
  }

  @Override
  public TopicDialect dialect() {
    return TopicDialect.FULL;
  }

  @Override
  public Expression source() {
    return source;
  }

  @Override
  public boolean selects(TopicPath topic) {
    for (Alternative alternative : alternatives) {
      if (alternative.selects(topic)) {
        return true;
      }
    }
    return false;
  }

  /**
   * A step.
   *
   * @param anywhere after {@code //}
   * @param self {@code .}
   * @param name null: any
   */
  private record Step(boolean anywhere, boolean self, QName name) {}

  /**
   * A path with wildcards.
   *
   * @param namespace of the root; empty for the ad-hoc one
   */
  private record Alternative(String namespace, List<Step> steps) {
    static Alternative parse(String text, NamespaceContext prefixes) {
      int[] at = {0};
      String namespace = "";
      int colon = text.indexOf(':');
      int slash = text.indexOf('/');
      if (colon >= 0 && (slash < 0 || colon < slash)) {
        namespace = TopicPath.namespace(text.substring(0, colon), prefixes);
        at[0] = colon + 1;
      }
      boolean anywhere = text.startsWith("//", at[0]);
      at[0] += anywhere ? 2 : 0;
      List<Step> steps = new ArrayList<>(4);
      String root = name(text, at);
      if (root.equals(".") || root.indexOf(':') >= 0) {
        throw new IllegalArgumentException("Invalid root topic: '" + root + "'.");
      }
      steps.add(new Step(anywhere, false, root.equals("*") ? null : new QName(namespace, checked(root))));
      while (at[0] < text.length()) {
        at[0]++;
        anywhere = text.startsWith("/", at[0]);
        at[0] += anywhere ? 1 : 0;
        String name = name(text, at);
        QName step =
            name.equals("*") || name.equals(".")
                ? null
                : TopicPath.belowRoot(TopicPath.step(name, prefixes), namespace);
        if (step != null) {
          checked(step.getLocalPart());
        }
        steps.add(new Step(anywhere, name.equals("."), step));
        if (steps.size() > MAX_STEPS) {
          throw new IllegalArgumentException("The topic expression has more than " + MAX_STEPS + " steps.");
        }
      }
      return new Alternative(namespace, List.copyOf(steps));
    }

    private static String name(String text, int[] at) {
      int end = text.indexOf('/', at[0]);
      String name = text.substring(at[0], end < 0 ? text.length() : end);
      at[0] += name.length();
      return name;
    }

    private static String checked(String name) {
      if (!TopicPath.isNcName(name)) {
        throw new IllegalArgumentException("Invalid topic name: '" + name + "'.");
      }
      return name;
    }

    /** Tracks the set of levels that the steps so far may have reached: linear in steps times levels, never exponential. */
    boolean selects(TopicPath topic) {
      if (topic.equals(TopicPath.NONE) || !topic.root().getNamespaceURI().equals(namespace)) {
        return false;
      }
      List<QName> levels = topic.steps();
      // Bit n: the steps so far have consumed n levels. A topic has 32 levels at most.
      long reached = 1;
      for (int i = 0; i < steps.size() && reached != 0; i++) {
        Step step = steps.get(i);
        long from = step.anywhere() ? deeper(reached, levels.size()) : reached;
        if (!step.self()) {
          long next = 0;
          for (int level = 0; level < levels.size(); level++) {
            if ((from & 1L << level) != 0 && matches(step, i == 0, level, levels.get(level))) {
              next |= 1L << level + 1;
            }
          }
          from = next;
        }
        reached = from;
      }
      return (reached & 1L << levels.size()) != 0;
    }

    private boolean matches(Step step, boolean first, int level, QName name) {
      if (step.name() == null) {
        return true;
      }
      if (!first) {
        return step.name().equals(name);
      }
      // The root step's name has the root's namespace; found further down, it is written without one.
      return step.name().getLocalPart().equals(name.getLocalPart())
          && (name.getNamespaceURI().equals(namespace) || level > 0 && name.getNamespaceURI().isEmpty());
    }

    private static long deeper(long reached, int levels) {
      long lowest = Long.lowestOneBit(reached);
      return -lowest & (1L << levels + 1) - 1;
    }
  }
}
