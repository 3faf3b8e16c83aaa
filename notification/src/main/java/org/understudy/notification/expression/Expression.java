package org.understudy.notification.expression;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.namespace.NamespaceContext;

/**
 * The source of a topic expression or a query, with all that is needed to parse it elsewhere with the same meaning.
 * Immutable.
 *
 * @param dialect the URI of its language
 * @param text as it was written, at most {@link #MAX_CHARS} characters
 * @param namespaces the prefixes that the text may use, with their namespaces in its document
 */
public record Expression(String dialect, String text, Map<String, String> namespaces) {
  /** The longest text, in characters. */
  public static final int MAX_CHARS = 4_096;
  /** The maximum number of prefixes. */
  public static final int MAX_NAMESPACES = 64;

  /** A name and a colon with something after it. Literals and axes match too, which is harmless. */
  private static final Pattern PREFIX = Pattern.compile("([\\p{L}_][\\p{L}\\p{Nd}\\p{Mn}_.-]*):(?!:)");
  private static final int MAX_URI_CHARS = 2_048;

  /** @throws IllegalArgumentException when a limit is exceeded */
  public Expression {
    if (text.length() > MAX_CHARS) {
      throw new IllegalArgumentException("The expression is longer than " + MAX_CHARS + " characters.");
    }
    if (namespaces.size() > MAX_NAMESPACES
        || namespaces.values().stream().anyMatch(uri -> uri.length() > MAX_URI_CHARS)) {
      throw new IllegalArgumentException("The expression has too many prefixes, or too long ones.");
    }
    namespaces = Map.copyOf(namespaces);
  }

  /**
   * An expression from a document.
   *
   * @param scope the prefixes in scope there; only those that the text may use are kept
   * @throws IllegalArgumentException as the constructor
   */
  public static Expression of(String dialect, String text, NamespaceContext scope) {
    if (text.length() > MAX_CHARS) {
      throw new IllegalArgumentException("The expression is longer than " + MAX_CHARS + " characters.");
    }
    Map<String, String> used = new TreeMap<>();
    Matcher prefixes = PREFIX.matcher(text);
    while (prefixes.find()) {
      String uri = scope.getNamespaceURI(prefixes.group(1));
      if (uri != null && !uri.isEmpty()) {
        used.put(prefixes.group(1), uri);
      }
    }
    return new Expression(dialect, text, used);
  }

  /** The prefixes for a parser. */
  public NamespaceContext scope() {
    return new Scope(namespaces);
  }

  private record Scope(Map<String, String> namespaces) implements NamespaceContext {
    @Override
    public String getNamespaceURI(String prefix) {
      if (prefix.equals(XMLConstants.XML_NS_PREFIX)) {
        return XMLConstants.XML_NS_URI;
      }
      return namespaces.getOrDefault(prefix, XMLConstants.NULL_NS_URI);
    }

    @Override
    public String getPrefix(String uri) {
      Iterator<String> prefixes = getPrefixes(uri);
      return prefixes.hasNext() ? prefixes.next() : null;
    }

    @Override
    public Iterator<String> getPrefixes(String uri) {
      return namespaces.entrySet().stream().filter(e -> e.getValue().equals(uri)).map(Map.Entry::getKey).iterator();
    }
  }
}
