package org.understudy.durability.proxy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.UUID;

/**
 * Values of columns as the types that methods take: databases return a number as another type of number, or as a boolean. Methods that
 * return an object return null for null. A value that does not fit is an {@link IllegalStateException}, so that the object is not loaded.
 */
public final class Columns {
  private Columns() {}

  /** A number, for a method that takes a primitive one. A boolean is 1 or 0. */
  public static Number number(Object column) {
    Object value = present(column);
    return value instanceof Boolean flag ? (Number) (flag ? 1 : 0) : as(Number.class, value);
  }

  /** A boolean. A number is true unless it is 0. */
  public static boolean flag(Object column) {
    Object value = present(column);
    return value instanceof Number number ? number.doubleValue() != 0 : as(Boolean.class, value);
  }

  /** The first character of a text. */
  public static char character(Object column) {
    String text = text(present(column));
    return text.isEmpty() ? ' ' : text.charAt(0);
  }

  /** A text; a number or UUID as it is written. */
  public static String text(Object column) {
    return column instanceof byte[] ? as(String.class, column) : column == null ? null : column.toString();
  }

  /** A decimal number. */
  public static BigDecimal decimal(Object column) {
    return column == null || column instanceof BigDecimal ? (BigDecimal) column : new BigDecimal(number(column).toString());
  }

  /** A whole number; one with a fraction does not fit. */
  public static BigInteger integer(Object column) {
    BigDecimal decimal = decimal(column);
    try {
      return decimal == null ? null : decimal.toBigIntegerExact();
    } catch (ArithmeticException e) {
      throw new IllegalStateException("A column holds " + decimal + " where the durability mapping needs a whole number.", e);
    }
  }

  /** A constant of an enum, by its name. */
  public static <E extends Enum<E>> E constant(Class<E> type, Object column) {
    String name = text(column);
    try {
      return name == null ? null : Enum.valueOf(type, name);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("A column holds a text that is no constant of " + type.getName() + ".", e);
    }
  }

  /** A UUID. */
  public static UUID uuid(Object column) {
    String text = text(column);
    return text == null ? null : UUID.fromString(text);
  }

  /** Bytes. */
  public static byte[] bytes(Object column) {
    return as(byte[].class, column);
  }

  /** An instant, which is stored as a time of UTC. */
  public static Instant instant(Object column) {
    LocalDateTime time = time(column);
    return time == null ? null : time.toInstant(ZoneOffset.UTC);
  }

  /** A date and time. */
  public static LocalDateTime time(Object column) {
    return as(LocalDateTime.class, column);
  }

  /** A date. */
  public static LocalDate date(Object column) {
    return column instanceof LocalDateTime time ? time.toLocalDate() : as(LocalDate.class, column);
  }

  /** A time of the day. */
  public static LocalTime timeOfDay(Object column) {
    return as(LocalTime.class, column);
  }

  private static Object present(Object column) {
    if (column == null) {
      throw new IllegalStateException(
          "A column is null where the durability mapping needs a value of a primitive type. Declare the column NOT NULL, or let the method"
              + " take an object.");
    }
    return column;
  }

  private static <T> T as(Class<T> type, Object column) {
    if (column != null && !type.isInstance(column)) {
      throw new IllegalStateException("A column holds a " + column.getClass().getSimpleName() + " where the durability mapping needs a "
          + type.getSimpleName() + ". Change the type of the column, or of the method's parameter.");
    }
    return type.cast(column);
  }
}
