package org.understudy.notification.topic;

import java.util.Optional;
import javax.xml.namespace.NamespaceContext;
import org.understudy.notification.expression.Expression;

/** A language of topic expressions (WS-Topics 1.3, section 8). */
public enum TopicDialect {
  /** A root topic (section 8.1). */
  SIMPLE("http://docs.oasis-open.org/wsn/t-1/TopicExpression/Simple"),
  /** The path to exactly one topic (section 8.2). */
  CONCRETE("http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete"),
  /** Paths with wildcards (section 8.3). */
  FULL("http://docs.oasis-open.org/wsn/t-1/TopicExpression/Full");

  private final String uri;

  TopicDialect(String uri) {
    this.uri = uri;
  }

  /** The URI in a {@code Dialect} attribute. */
  public String uri() {
    return uri;
  }

  /** The dialect of this URI, if it is spoken here; null is not. */
  public static Optional<TopicDialect> ofUri(String uri) {
    for (TopicDialect dialect : values()) {
      if (dialect.uri.equals(uri)) {
        return Optional.of(dialect);
      }
    }
    return Optional.empty();
  }

  /**
   * Reads an expression.
   *
   * @param source its dialect is not looked at; space around the text is ignored
   * @throws IllegalArgumentException when the text is no expression of this dialect
   */
  public TopicExpression parse(Expression source) {
    if (this == FULL) {
      return FullTopicExpression.parse(source);
    }
    TopicPath path = TopicPath.parse(source.text(), source.scope());
    if (this == SIMPLE && path.steps().size() > 1) {
      throw new IllegalArgumentException(
          "The Simple dialect knows root topics only, not '" + source.text().strip() + "'.");
    }
    return new ConcreteTopicExpression(this, source, path);
  }

  /**
   * Reads an expression that stood in a document.
   *
   * @param text the expression; space around it is ignored
   * @param prefixes the prefixes in scope where it stood
   * @throws IllegalArgumentException when the text is no expression of this dialect
   */
  public TopicExpression parse(String text, NamespaceContext prefixes) {
    return parse(Expression.of(uri, text, prefixes));
  }
}
