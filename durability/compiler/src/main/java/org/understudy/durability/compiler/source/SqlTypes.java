package org.understudy.durability.compiler.source;

import com.palantir.javapoet.CodeBlock;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.understudy.durability.compiler.classes.Types;

/** Converts between Java's types and those that JDBC drivers take and return. */
final class SqlTypes {
  private static final Set<Class<?>> NUMBERS =
      Set.of(Byte.class, Short.class, Integer.class, Long.class, Float.class, Double.class);
  private static final Set<Class<?>> PLAIN =
      Set.of(String.class, Boolean.class, BigDecimal.class, byte[].class, Date.class, Time.class, Timestamp.class);
  private static final Map<Class<?>, Class<?>> TIMES = Map.of(
      Instant.class, Timestamp.class, LocalDateTime.class, Timestamp.class, LocalDate.class, Date.class, LocalTime.class, Time.class);
  private static final Map<Class<?>, String> FROM_TIMES = Map.of(
      Instant.class, "toInstant", LocalDateTime.class, "toLocalDateTime", LocalDate.class, "toLocalDate", LocalTime.class, "toLocalTime");

  private SqlTypes() {}

  /** Whether a column can hold a value of the type. */
  static boolean isColumn(Type type) {
    Class<?> box = Types.boxed(Types.raw(type));
    return NUMBERS.contains(box) || PLAIN.contains(box) || TIMES.containsKey(box) || box.isEnum() || box == UUID.class
        || box == BigInteger.class || box == Character.class;
  }

  /** Whether a value is passed as it is. */
  static boolean isPlain(Type type) {
    Class<?> box = Types.boxed(Types.raw(type));
    return NUMBERS.contains(box) || PLAIN.contains(box);
  }

  /** The value that a statement gets, of a value that is not null and not {@link #isPlain}. */
  static CodeBlock toColumn(CodeBlock value, Type type) {
    Class<?> box = Types.boxed(Types.raw(type));
    if (box.isEnum()) {
      return CodeBlock.of("$L.name()", value);
    } else if (TIMES.containsKey(box)) {
      return CodeBlock.of(box == Instant.class ? "$T.from($L)" : "$T.valueOf($L)", TIMES.get(box), value);
    } else if (box == BigInteger.class) {
      return CodeBlock.of("new $T($L)", BigDecimal.class, value);
    }
    return CodeBlock.of("$T.valueOf($L)", String.class, value);
  }

  /** The value of a column as a Java value. Null becomes null, and an exception for a primitive type. */
  static CodeBlock fromColumn(CodeBlock column, Type type) {
    Class<?> target = Types.raw(type);
    Class<?> box = Types.boxed(target);
    if (target == Object.class) {
      return column;
    } else if (PLAIN.contains(box)) {
      return CodeBlock.of("($T) $L", box, column);
    }
    CodeBlock converted = converted(column, box);
    return target.isPrimitive() ? converted : CodeBlock.of("$L == null ? null : $L", column, converted);
  }

  private static CodeBlock converted(CodeBlock column, Class<?> box) {
    if (NUMBERS.contains(box)) {
      String name = box == Integer.class ? "int" : box.getSimpleName().toLowerCase(Locale.ROOT);
      return CodeBlock.of("(($T) $L).$LValue()", Number.class, column, name);
    } else if (TIMES.containsKey(box)) {
      return CodeBlock.of("(($T) $L).$L()", TIMES.get(box), column, FROM_TIMES.get(box));
    } else if (box == BigInteger.class) {
      return CodeBlock.of("(($T) $L).toBigIntegerExact()", BigDecimal.class, column);
    } else if (box == Character.class) {
      return CodeBlock.of("(($T) $L).charAt(0)", String.class, column);
    } else if (box == UUID.class) {
      return CodeBlock.of("$T.fromString($T.valueOf($L))", UUID.class, String.class, column);
    }
    return CodeBlock.of("$T.valueOf(($T) $L)", box, String.class, column);
  }
}
