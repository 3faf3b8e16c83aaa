package org.understudy.durability.database;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * A column of a table, as far as it may store another value than it gets.
 *
 * @param place table and column, for messages
 * @param type of {@link Types}
 * @param typeName of the database, in lower case
 * @param length in characters, bytes or digits
 * @param scale digits after the point
 * @param text how texts are compared and encoded; null where the column holds none
 */
record StoredColumn(String place, int type, String typeName, long length, int scale, TextRules text) {
  private static final int UUID_LENGTH = 36;
  private static final Set<Integer> WHOLE = Set.of(Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT);
  private static final Set<Integer> BINARY_FRACTIONS = Set.of(Types.REAL, Types.FLOAT, Types.DOUBLE);
  private static final Set<Integer> DECIMALS = Set.of(Types.DECIMAL, Types.NUMERIC);
  private static final Set<Class<?>> INTEGERS = Set.of(Byte.class, Short.class, Integer.class, Long.class, BigInteger.class);
  private static final Set<Class<?>> FRACTIONS = Set.of(Float.class, Double.class, BigDecimal.class);
  private static final Set<Class<?>> DATES_WITH_TIME = Set.of(LocalDateTime.class, Instant.class, java.sql.Timestamp.class);

  /**
   * How a database treats texts.
   *
   * @param name of the collation
   * @param ignores what the comparison of two texts ignores, as the object of a sentence; empty for nothing
   * @param isUnicode whether every character can be stored
   */
  record TextRules(String name, String ignores, boolean isUnicode) {}

  private boolean isFixed() {
    return (type == Types.CHAR || type == Types.NCHAR) && !typeName.contains("enum") && !typeName.contains("set");
  }

  /**
   * Returns why values of a type cannot be kept in the column; null if they can, or if only some are changed.
   *
   * @param value the boxed type as which the column is read; {@code Object} when it is unknown
   */
  String rejection(Class<?> value) {
    if (!isFixed()) {
      return null;
    }
    boolean fits = value == UUID.class ? length == UUID_LENGTH
        : value == Object.class ? length == 1 || length == UUID_LENGTH
        : value == Character.class || !(value == String.class || value.isEnum());
    return fits ? null
        : "The column " + place + " is " + typeName.toUpperCase(Locale.ROOT) + "(" + length + "), which adds or removes spaces at the "
            + "end of texts, so that the object that is loaded is another one. Declare it VARCHAR.";
  }

  /** Returns what the column may change in values of a type, as a sentence; null for nothing. Digits of times are documented. */
  String warning(Class<?> value) {
    boolean isText = value == String.class || value.isEnum();
    if (isText && (WHOLE.contains(type) || DECIMALS.contains(type) || BINARY_FRACTIONS.contains(type))) {
      return changes("texts are converted to numbers, so that 007 becomes 7. Declare it VARCHAR");
    }
    if (type == Types.BINARY && value == byte[].class) {
      return changes("shorter values get zeros at their end. Declare it VARBINARY");
    }
    if (FRACTIONS.contains(value) && WHOLE.contains(type)) {
      return changes("fractions are rounded. Declare it DECIMAL or DOUBLE");
    }
    if (FRACTIONS.contains(value) && DECIMALS.contains(type)) {
      return changes("numbers are rounded to " + scale + " digits after the point and loaded with as many. Let the service round them so");
    }
    boolean coarse = type == Types.REAL || (type == Types.FLOAT && typeName.equals("float"));
    if (value == BigDecimal.class && BINARY_FRACTIONS.contains(type) || value == Double.class && coarse
        || INTEGERS.contains(value) && BINARY_FRACTIONS.contains(type)) {
      return changes("numbers lose digits. Declare it " + (value == Double.class ? "DOUBLE" : "DECIMAL or BIGINT"));
    }
    if (DATES_WITH_TIME.contains(value) && (type == Types.DATE || type == Types.TIME)) {
      return changes("a part of the time is lost. Declare it TIMESTAMP or DATETIME");
    }
    if (value.isEnum() && length > 0 && isTextType() && longestName(value) > length) {
      return changes("the longest name of " + value.getSimpleName() + " does not fit. Make it longer");
    }
    return isText || value == Object.class ? textWarning() : null;
  }

  private boolean isTextType() {
    return text != null;
  }

  private String textWarning() {
    if (text == null) {
      return null;
    }
    if (!text.ignores().isEmpty()) {
      return "The column " + place + " has the collation " + text.name() + ", which ignores " + text.ignores()
          + ": where it is a key or is compared, the database takes texts for equal that the object does not. Use a binary collation.";
    }
    return text.isUnicode() ? null : changes("characters outside of its character set are rejected or replaced. Use utf8mb4");
  }

  private static int longestName(Class<?> type) {
    return Arrays.stream(type.getEnumConstants()).mapToInt(one -> ((Enum<?>) one).name().length()).max().orElse(0);
  }

  private String changes(String what) {
    String size = length > 0 && (text != null || DECIMALS.contains(type) || type == Types.BINARY)
        ? "(" + length + (DECIMALS.contains(type) ? ", " + scale : "") + ")" : "";
    return "The column " + place + " is " + typeName.toUpperCase(Locale.ROOT) + size + ": " + what + ".";
  }
}
