package org.understudy.container.interceptor;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import org.apache.ws.commons.schema.constants.Constants;

/**
 * A simple type that a data binding maps to a Java primitive, or to a list of them.
 *
 * @param name the local name in XML Schema, for faults
 * @param values accepts the text of one value without white space around it
 * @param isList whether a text consists of any number of values with white space between them
 */
record PrimitiveType(String name, Predicate<String> values, boolean isList) {
  /** Data bindings accept no sign before INF. */
  private static final Pattern FLOATING =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,9})?|-?INF|NaN");
  private static final Pattern SPACE = Pattern.compile("[ \t\r\n]+");

  /** The types that XML Schema defines, by their names. */
  static final Map<QName, PrimitiveType> BUILT_IN = Map.of(
      Constants.XSD_BYTE, integer("byte", Byte.MIN_VALUE, Byte.MAX_VALUE),
      Constants.XSD_SHORT, integer("short", Short.MIN_VALUE, Short.MAX_VALUE),
      Constants.XSD_INT, integer("int", Integer.MIN_VALUE, Integer.MAX_VALUE),
      Constants.XSD_LONG, integer("long", Long.MIN_VALUE, Long.MAX_VALUE),
      Constants.XSD_UNSIGNEDBYTE, integer("unsignedByte", 0, 0xffL),
      Constants.XSD_UNSIGNEDSHORT, integer("unsignedShort", 0, 0xffffL),
      Constants.XSD_UNSIGNEDINT, integer("unsignedInt", 0, 0xffff_ffffL),
      Constants.XSD_FLOAT, one("float", text -> FLOATING.matcher(text).matches()),
      Constants.XSD_DOUBLE, one("double", text -> FLOATING.matcher(text).matches()),
      Constants.XSD_BOOLEAN, one("boolean", Set.of("true", "false", "1", "0")::contains));

  private static PrimitiveType one(String name, Predicate<String> values) {
    return new PrimitiveType(name, values, false);
  }

  private static PrimitiveType integer(String name, long min, long max) {
    return one(
        name,
        text -> {
          try {
            // Java accepts digits of any script, XML Schema and data bindings only those of ASCII.
            long value = Long.parseLong(text);
            return value >= min && value <= max && text.chars().allMatch(c -> c <= '9');
          } catch (NumberFormatException e) {
            // Not an integer, or too large for 64 bits.
            return false;
          }
        });
  }

  /** Returns the type of lists of these values. */
  PrimitiveType list() {
    return new PrimitiveType(name, values, true);
  }

  /** @param text as it stands in the message: XML's white space around a value is no part of it, other white space is */
  boolean accepts(String text) {
    String stripped = text.trim();
    return isList ? stripped.isEmpty() || SPACE.splitAsStream(stripped).allMatch(values) : values.test(stripped);
  }
}
