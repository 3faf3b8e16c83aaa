package org.understudy.durability.mapping;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads values and calls from a text of a mapping. An {@link IllegalArgumentException} reports what is wrong in one sentence. At most
 * {@value #MAX_DEPTH} levels of {@code new}.
 */
final class ExpressionReader {
  private static final int MAX_DEPTH = 8;

  private final String text;
  private int at;

  /** @param at where to begin */
  ExpressionReader(String text, int at) {
    this.text = text;
    this.at = at;
  }

  /** Reads the whole text as a call, which may end with a semicolon. */
  static Call call(Place place, String text) {
    ExpressionReader reader = new ExpressionReader(text.strip(), 0);
    String method = reader.name();
    List<Expression> arguments = reader.arguments(0);
    reader.skip(';');
    reader.end();
    return new Call(place, method, arguments);
  }

  /** Reads the whole text as a value. */
  static Expression value(String text) {
    ExpressionReader reader = new ExpressionReader(text.strip(), 0);
    Expression value = reader.expression(0);
    reader.end();
    return value;
  }

  /** Returns where the value that was read ends. */
  int position() {
    return at;
  }

  Expression expression(int depth) {
    if (depth > MAX_DEPTH) {
      throw new IllegalArgumentException("More than " + MAX_DEPTH + " objects are nested.");
    }
    space();
    char next = peek();
    if (next == '\'' || next == '"') {
      return new Expression.Literal(string(next));
    }
    if (next == '-' || isDigit(next)) {
      return new Expression.Literal(number());
    }
    String word = name();
    return switch (word) {
      case "arg" -> new Expression.Argument(index(), properties());
      case "row" -> new Expression.Column(index());
      case "returned" -> new Expression.Returned(properties());
      case "true", "false" -> new Expression.Literal(Boolean.valueOf(word));
      case "null" -> new Expression.Literal(null);
      case "new" -> new Expression.New(qualifiedName(), arguments(depth + 1));
      default -> throw new IllegalArgumentException(
          "\"" + word + "\" is not a value. Values are arg[0], arg[0].property, returned, returned.property, row[0], new Type(…),"
              + " numbers, strings, true, false and null.");
    };
  }

  private List<Expression> arguments(int depth) {
    require('(');
    List<Expression> arguments = new ArrayList<>();
    if (skip(')')) {
      return arguments;
    }
    do {
      arguments.add(expression(depth));
    } while (skip(','));
    require(')');
    return arguments;
  }

  private int index() {
    require('[');
    space();
    int begin = at;
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
    String digits = text.substring(begin, at);
    if (digits.isEmpty() || digits.length() > 3) {
      throw new IllegalArgumentException("An index is a number from 0 to 999, as in arg[0].");
    }
    require(']');
    return Integer.parseInt(digits);
  }

  private List<String> properties() {
    List<String> properties = new ArrayList<>();
    while (at + 1 < text.length() && text.charAt(at) == '.' && Character.isJavaIdentifierStart(text.charAt(at + 1))) {
      at++;
      properties.add(name());
    }
    return properties;
  }

  private String qualifiedName() {
    StringBuilder name = new StringBuilder(name());
    while (skip('.')) {
      name.append('.').append(name());
    }
    return name.toString();
  }

  private String name() {
    space();
    int begin = at;
    if (at < text.length() && Character.isJavaIdentifierStart(text.charAt(at))) {
      while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) {
        at++;
      }
    }
    if (begin == at) {
      throw new IllegalArgumentException("A name is missing " + here() + ".");
    }
    return text.substring(begin, at);
  }

  private Long number() {
    int begin = at;
    at++;
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
    try {
      return Long.valueOf(text.substring(begin, at));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"" + text.substring(begin, at) + "\" is not a whole number of 64 bits.", e);
    }
  }

  /** A quotation mark within is written twice. */
  private String string(char quote) {
    StringBuilder content = new StringBuilder();
    at++;
    while (at < text.length()) {
      char next = text.charAt(at++);
      if (next != quote) {
        content.append(next);
      } else if (peek() == quote) {
        content.append(quote);
        at++;
      } else {
        return content.toString();
      }
    }
    throw new IllegalArgumentException("A string has no end.");
  }

  private static boolean isDigit(char next) {
    return next >= '0' && next <= '9';
  }

  /** Returns the next character, or 0 at the end. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void space() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean skip(char expected) {
    space();
    if (peek() != expected) {
      return false;
    }
    at++;
    return true;
  }

  private void require(char expected) {
    if (!skip(expected)) {
      throw new IllegalArgumentException("A \"" + expected + "\" is missing " + here() + ".");
    }
  }

  private void end() {
    space();
    if (at < text.length()) {
      throw new IllegalArgumentException("The text does not end " + here() + ".");
    }
  }

  private String here() {
    String before = text.substring(Math.max(0, at - 20), at).strip();
    return before.isEmpty() ? "at the start" : "after \"" + before + "\"";
  }
}
