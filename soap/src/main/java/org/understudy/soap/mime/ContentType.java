package org.understudy.soap.mime;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A media type with its parameters (RFC 2045, section 5.1).
 *
 * @param type in lower case, without parameters
 * @param parameters by name in lower case; values without quotes
 */
public record ContentType(String type, Map<String, String> parameters) {
  /** Reads a header's value; null is read as the empty type. */
  public static ContentType of(String header) {
    String text = header == null ? "" : header;
    int at = text.indexOf(';');
    String type = (at < 0 ? text : text.substring(0, at)).strip().toLowerCase(Locale.ROOT);
    Map<String, String> parameters = new LinkedHashMap<>();
    while (at >= 0 && at < text.length()) {
      int equals = text.indexOf('=', at);
      if (equals < 0) {
        break;
      }
      String name = text.substring(at + 1, equals).strip().toLowerCase(Locale.ROOT);
      StringBuilder value = new StringBuilder();
      at = value(text, equals + 1, value);
      parameters.putIfAbsent(name, value.toString());
    }
    return new ContentType(type, parameters);
  }

  /** Reads a token or a quoted string up to the next semicolon; returns its position, or the text's end. */
  private static int value(String text, int from, StringBuilder value) {
    boolean quoted = false;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '\\' && i + 1 < text.length()) {
        value.append(text.charAt(++i));
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ';' && !quoted) {
        return i;
      } else if (quoted || !Character.isWhitespace(c)) {
        value.append(c);
      }
    }
    return text.length();
  }

  /** Null when the parameter is missing. */
  public String parameter(String name) {
    return parameters.get(name);
  }

  boolean isMultipart() {
    return type.equals("multipart/related");
  }
}
