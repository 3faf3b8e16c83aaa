package org.understudy.durability.compiler.source;

import com.palantir.javapoet.ClassName;
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
import java.time.ZoneOffset;
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
      Set.of(String.class, Boolean.class, BigDecimal.class, byte[].class, LocalDateTime.class, LocalDate.class, LocalTime.class);
  /** Stored as a time of UTC, which every instant has once, whatever the zones of replicas are. */
  private static final Set<Class<?>> INSTANTS = Set.of(Instant.class, Timestamp.class);
  /** Types of java.sql and those of java.time that are stored for them. */
  private static final Map<Class<?>, Class<?>> DAYS = Map.of(Date.class, LocalDate.class, Time.class, LocalTime.class);

  private static final ClassName COLUMNS = ClassName.get("org.understudy.durability.proxy", "Columns");
  /** Methods of that class which return null for null. */
  private static final Map<Class<?>, String> READERS = Map.of(
      String.class, "text", BigDecimal.class, "decimal", BigInteger.class, "integer", byte[].class, "bytes", Instant.class, "instant",
      LocalDateTime.class, "time", LocalDate.class, "date", LocalTime.class, "timeOfDay", UUID.class, "uuid");

  private SqlTypes() {}

  /** Whether a column can hold a value of the type. */
  static boolean isColumn(Type type) {
    Class<?> box = Types.boxed(Types.raw(type));
    return isPlain(type) || INSTANTS.contains(box) || DAYS.containsKey(box) || box.isEnum() || box == UUID.class
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
    } else if (INSTANTS.contains(box)) {
      CodeBlock instant = box == Instant.class ? value : CodeBlock.of("$L.toInstant()", value);
      return CodeBlock.of("$T.ofInstant($L, $T.UTC)", LocalDateTime.class, instant, ZoneOffset.class);
    } else if (DAYS.containsKey(box)) {
      return CodeBlock.of("$L.to$L()", value, DAYS.get(box).getSimpleName());
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
    } else if (READERS.containsKey(box)) {
      return read(READERS.get(box), column);
    } else if (box.isEnum()) {
      return CodeBlock.of("$T.constant($T.class, $L)", COLUMNS, box, column);
    }
    CodeBlock converted = converted(column, box);
    return target.isPrimitive() ? converted : CodeBlock.of("$L == null ? null : $L", column, converted);
  }

  private static CodeBlock converted(CodeBlock column, Class<?> box) {
    if (NUMBERS.contains(box)) {
      String name = box == Integer.class ? "int" : box.getSimpleName().toLowerCase(Locale.ROOT);
      return CodeBlock.of("$L.$LValue()", read("number", column), name);
    } else if (box == Boolean.class || box == Character.class) {
      return read(box == Boolean.class ? "flag" : "character", column);
    } else if (box == Timestamp.class) {
      return CodeBlock.of("$T.from($L)", Timestamp.class, read("instant", column));
    }
    return CodeBlock.of("$T.valueOf($L)", box, read(READERS.get(DAYS.get(box)), column));
  }

  private static CodeBlock read(String reader, CodeBlock column) {
    return CodeBlock.of("$T.$L($L)", COLUMNS, reader, column);
  }
}
