package org.understudy.replication.runtime.management;

import java.util.Collection;
import java.util.stream.Collectors;

/**
 * One JSON object, written member by member in the order of the calls. Supports only what health reports: numbers, booleans,
 * strings, lists of numbers or strings, and objects. A library would be one more jar in every web application. Not thread-safe.
 */
public final class JsonObject {
  private final StringBuilder text = new StringBuilder("{");

  public JsonObject put(String name, long value) {
    return raw(name, Long.toString(value));
  }

  public JsonObject put(String name, boolean value) {
    return raw(name, Boolean.toString(value));
  }

  public JsonObject put(String name, String value) {
    return raw(name, quoted(value));
  }

  public JsonObject put(String name, Collection<Long> values) {
    return raw(name, values.stream().map(value -> Long.toString(value)).collect(Collectors.joining(", ", "[", "]")));
  }

  public JsonObject putTexts(String name, Collection<String> values) {
    return raw(name, values.stream().map(JsonObject::quoted).collect(Collectors.joining(", ", "[", "]")));
  }

  /** @param object as text */
  public JsonObject putObject(String name, String object) {
    return raw(name, object);
  }

  private JsonObject raw(String name, String value) {
    text.append(text.length() > 1 ? "," : "").append(quoted(name)).append(':').append(value);
    return this;
  }

  /** RFC 8259, section 7: quotation mark, backslash and control characters are escaped. */
  private static String quoted(String value) {
    StringBuilder quoted = new StringBuilder(value.length() + 16).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** Returns the object on one line. */
  @Override
  public String toString() {
    return text + "}";
  }
}
