package org.understudy.wsrf.property;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.understudy.notification.subscription.RequestedTermination;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.Elements;
import org.understudy.soap.xml.XmlText;
import org.w3c.dom.Element;

/** Converts values of one Java type to and from XML: simple types of XML Schema, part 2, or elements. Thread-safe. */
final class ValueType {
  private static final Map<Class<?>, Function<String, Object>> NUMBERS =
      Map.of(
          Byte.class, text -> number(text).byteValueExact(),
          Short.class, text -> number(text).shortValueExact(),
          Integer.class, text -> number(text).intValueExact(),
          Long.class, text -> number(text).longValueExact(),
          BigInteger.class, ValueType::number,
          BigDecimal.class, ValueType::decimal,
          Float.class, text -> (float) floating(text),
          Double.class, ValueType::floating);
  private static final Map<Class<?>, Class<?>> BOXES =
      Map.of(
          boolean.class, Boolean.class,
          byte.class, Byte.class,
          short.class, Short.class,
          int.class, Integer.class,
          long.class, Long.class,
          float.class, Float.class,
          double.class, Double.class);
  private static final Map<Class<?>, String> SCHEMA =
      Map.ofEntries(
          Map.entry(Byte.class, "byte"),
          Map.entry(Short.class, "short"),
          Map.entry(Integer.class, "int"),
          Map.entry(Long.class, "long"),
          Map.entry(BigInteger.class, "integer"),
          Map.entry(BigDecimal.class, "decimal"),
          Map.entry(Float.class, "float"),
          Map.entry(Double.class, "double"),
          Map.entry(Boolean.class, "boolean"),
          Map.entry(String.class, "string"),
          Map.entry(Instant.class, "dateTime"),
          Map.entry(Duration.class, "duration"),
          Map.entry(QName.class, "QName"));
  private static final int MAX_DIGITS = 1_000;

  private final Class<?> type;
  private final Function<Element, Object> reader;

  private ValueType(Class<?> type, Function<Element, Object> reader) {
    this.type = type;
    this.reader = reader;
  }

  /** The conversion for this Java type; null when it is unsupported. */
  static ValueType of(Class<?> declared) {
    Class<?> type = BOXES.getOrDefault(declared, declared);
    Function<Element, Object> reader = reader(type);
    return reader == null ? null : new ValueType(type, reader);
  }

  private static Function<Element, Object> reader(Class<?> type) {
    if (NUMBERS.containsKey(type)) {
      Function<String, Object> number = NUMBERS.get(type);
      return element -> number.apply(Elements.text(element).strip());
    } else if (type == String.class) {
      return Elements::text;
    } else if (type == Boolean.class) {
      return element -> truth(Elements.text(element).strip());
    } else if (type == Instant.class) {
      return element -> moment(Elements.text(element));
    } else if (type == Duration.class) {
      return element -> duration(Elements.text(element));
    } else if (type == QName.class) {
      return element -> Elements.qname(element, Elements.text(element));
    } else if (type == Element.class) {
      return element -> element;
    } else if (type.isEnum()) {
      return element -> constant(type, Elements.text(element).strip());
    }
    return null;
  }

  /** The schema type of an element with such a value; null for any. */
  QName schema() {
    String name = type.isEnum() ? "string" : SCHEMA.get(type);
    return name == null ? null : new QName(XMLConstants.W3C_XML_SCHEMA_NS_URI, name);
  }

  /**
   * Reads a value.
   *
   * @throws IllegalArgumentException when the element holds no value of this type
   */
  Object read(Element element) {
    try {
      return reader.apply(element);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("the number is out of range.", e);
    }
  }

  /** Writes a non-null value as an element of this name. */
  void write(QName name, Object value, StringBuilder to) {
    if (type == Element.class) {
      ElementText.write((Element) value, to);
      return;
    }
    String prefix = name.getNamespaceURI().isEmpty() ? "" : "p:";
    to.append('<').append(prefix).append(name.getLocalPart());
    if (!prefix.isEmpty()) {
      to.append(" xmlns:p=\"").append(XmlText.escape(name.getNamespaceURI())).append('"');
    }
    String text = XmlText.escape(text(value));
    if (value instanceof QName qname && !qname.getNamespaceURI().isEmpty()) {
      to.append(" xmlns:q=\"").append(XmlText.escape(qname.getNamespaceURI())).append('"');
      text = "q:" + qname.getLocalPart();
    }
    to.append('>').append(text).append("</").append(prefix).append(name.getLocalPart()).append('>');
  }

  private static String text(Object value) {
    if (value instanceof Number number && Double.isInfinite(number.doubleValue()) && !(value instanceof BigDecimal)) {
      return number.doubleValue() > 0 ? "INF" : "-INF";
    } else if (value instanceof QName name) {
      return name.getLocalPart();
    } else if (value instanceof Enum<?> constant) {
      return constant.name();
    } else if (value instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    } else if (value instanceof Duration duration) {
      return duration(duration);
    }
    return value.toString();
  }

  /** Java's own format puts the sign inside, at each part. */
  private static String duration(Duration duration) {
    Duration positive = duration.abs();
    String seconds = BigDecimal.valueOf(positive.getSeconds())
        .add(BigDecimal.valueOf(positive.getNano(), 9)).stripTrailingZeros().toPlainString();
    return (duration.isNegative() ? "-PT" : "PT") + seconds + "S";
  }

  private static BigInteger number(String text) {
    if (text.length() > MAX_DIGITS) {
      throw new IllegalArgumentException("the number has more than " + MAX_DIGITS + " digits.");
    }
    try {
      return new BigInteger(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + Elements.shortened(text) + "' is not a whole number.", e);
    }
  }

  private static BigDecimal decimal(String text) {
    if (text.length() > MAX_DIGITS || text.indexOf('e') >= 0 || text.indexOf('E') >= 0) {
      throw new IllegalArgumentException("'" + Elements.shortened(text) + "' is not a decimal number.");
    }
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + Elements.shortened(text) + "' is not a decimal number.", e);
    }
  }

  private static double floating(String text) {
    return switch (text) {
      case "INF" -> Double.POSITIVE_INFINITY;
      case "-INF" -> Double.NEGATIVE_INFINITY;
      case "NaN" -> Double.NaN;
      default -> {
        // Java also accepts names, suffixes and hexadecimal digits.
        if (text.length() > MAX_DIGITS || !text.chars().allMatch(c -> "+-.eE0123456789".indexOf(c) >= 0)) {
          throw new IllegalArgumentException("'" + Elements.shortened(text) + "' is not a number.");
        }
        try {
          yield Double.parseDouble(text);
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException("'" + Elements.shortened(text) + "' is not a number.", e);
        }
      }
    };
  }

  private static Boolean truth(String text) {
    return switch (text) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw new IllegalArgumentException("'" + Elements.shortened(text) + "' is neither true nor false.");
    };
  }

  private static Object constant(Class<?> type, String text) {
    for (Object constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(text)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("'" + Elements.shortened(text) + "' is not one of its values.");
  }

  private static Instant moment(String text) {
    if (RequestedTermination.parse(text) instanceof RequestedTermination.At at) {
      return at.time();
    }
    throw new IllegalArgumentException("'" + Elements.shortened(text.strip()) + "' is not a valid xs:dateTime.");
  }

  private static Duration duration(String text) {
    if (RequestedTermination.parse(text) instanceof RequestedTermination.After after && after.months().isZero()) {
      return after.rest();
    }
    throw new IllegalArgumentException(
        "'" + Elements.shortened(text.strip()) + "' is not an xs:duration of days, hours, minutes and seconds.");
  }
}
