package org.understudy.notification.topic;

import java.util.Optional;
import javax.xml.namespace.NamespaceContext;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;

/** A language of topic expressions (WS-Topics 1.3, section 8). */
public enum TopicDialect {
  /** A root topic (section 8.1). */
  SIMPLE("http://docs.oasis-open.org/wsn/t-1/TopicExpression/Simple"),
  /** The path to exactly one topic (section 8.2). */
  CONCRETE("http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete"),
  /** Paths with wildcards (section 8.3). */
  FULL("http://docs.oasis-open.org/wsn/t-1/TopicExpression/Full"),
  /** The dialect of ONVIF's devices and clients (ONVIF Core Specification): paths with alternatives, which Full has too. */
  CONCRETE_SET("http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet");

  private static final String SPOKEN = "Simple, Concrete and Full of WS-Topics 1.3, and ONVIF's ConcreteSet.";

  private final String uri;

  TopicDialect(String uri) {
    this.uri = uri;
  }

  /** The URI in a {@code Dialect} attribute. */
  public String uri() {
    return uri;
  }

  /** The dialect of this URI, if it is supported; null for null. */
  public static Optional<TopicDialect> ofUri(String uri) {
    for (TopicDialect dialect : values()) {
      if (dialect.uri.equals(uri)) {
        return Optional.of(dialect);
      }
    }
    return Optional.empty();
  }

  /**
   * The dialect of an expression without a {@code Dialect}. The schema requires one, but some clients omit it (for example
   * Apache CXF's) and mean a path, which is FULL where it has wildcards or alternatives.
   */
  public static TopicDialect ofUnnamed(String text) {
    return text.contains("*") || text.contains("//") || text.contains("|") ? FULL : CONCRETE;
  }

  /**
   * Reads an expression.
   *
   * @param source its dialect is ignored; space around the text is ignored
   * @throws IllegalArgumentException when the text is not an expression of this dialect
   */
  public TopicExpression parse(Expression source) {
    if (this == FULL || this == CONCRETE_SET) {
      return FullTopicExpression.parse(source);
    }
    TopicPath path = TopicPath.parse(source.text(), source.scope());
    if (this == SIMPLE && path.steps().size() > 1) {
      throw new IllegalArgumentException(
          "The Simple dialect supports root topics only, not '" + source.text().strip() + "'.");
    }
    return new ConcreteTopicExpression(this, source, path);
  }

  /**
   * Reads an expression in its own dialect.
   *
   * @throws NotificationFault {@link NotificationFaultType#TOPIC_EXPRESSION_DIALECT_UNKNOWN} or {@link
   *     NotificationFaultType#INVALID_TOPIC_EXPRESSION}
   */
  public static TopicExpression parseOrFault(Expression source) throws NotificationFault {
    TopicDialect dialect = require(source.dialect());
    try {
      return dialect.parse(source);
    } catch (IllegalArgumentException e) {
      throw NotificationFault.of(NotificationFaultType.INVALID_TOPIC_EXPRESSION, e.getMessage());
    }
  }

  /**
   * Returns the dialect of this URI.
   *
   * @throws NotificationFault {@link NotificationFaultType#TOPIC_EXPRESSION_DIALECT_UNKNOWN}
   */
  public static TopicDialect require(String uri) throws NotificationFault {
    return ofUri(uri).orElseThrow(() -> NotificationFault.of(
        NotificationFaultType.TOPIC_EXPRESSION_DIALECT_UNKNOWN, "The dialects of topic expressions are " + SPOKEN));
  }

  /**
   * Reads an expression that stood in a document.
   *
   * @param text the expression; space around it is ignored
   * @param prefixes the prefixes in scope where it stood
   * @throws IllegalArgumentException when the text is not an expression of this dialect
   */
  public TopicExpression parse(String text, NamespaceContext prefixes) {
    return parse(Expression.of(uri, text, prefixes));
  }

  /**
   * The topic of a message (WS-BaseNotification 1.3, section 3.2): an expression that names exactly one.
   *
   * @param dialect the URI in its {@code Dialect}; null: none
   * @param text the expression; space around it is ignored
   * @param prefixes the prefixes in scope where it stood
   * @throws IllegalArgumentException when the dialect is unknown, or the text is no path to one topic in it
   */
  public static TopicPath topic(String dialect, String text, NamespaceContext prefixes) {
    TopicDialect spoken = dialect == null
        ? CONCRETE
        : ofUri(dialect.strip()).orElseThrow(() -> new IllegalArgumentException(
            "The dialect of the message's topic is unknown. Known are " + SPOKEN));
    // A path without wildcards has the same meaning in all other dialects.
    TopicDialect concrete = spoken == SIMPLE ? SIMPLE : CONCRETE;
    return ((ConcreteTopicExpression) concrete.parse(text, prefixes)).path();
  }
}
