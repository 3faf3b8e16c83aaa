package org.understudy.container.style;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import jakarta.jws.soap.SOAPBinding;
import jakarta.xml.bind.JAXBElement;
import jakarta.xml.bind.annotation.XmlAnyElement;
import jakarta.xml.bind.annotation.XmlAttribute;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlElementRef;
import jakarta.xml.bind.annotation.XmlElements;
import jakarta.xml.bind.annotation.XmlEnum;
import jakarta.xml.bind.annotation.XmlEnumValue;
import jakarta.xml.bind.annotation.XmlList;
import jakarta.xml.bind.annotation.XmlRootElement;
import jakarta.xml.bind.annotation.XmlSeeAlso;
import jakarta.xml.bind.annotation.XmlValue;
import jakarta.xml.bind.annotation.adapters.XmlAdapter;
import jakarta.xml.bind.annotation.adapters.XmlJavaTypeAdapter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.w3c.dom.Element;

/** Services whose operations return what they have received, as text. */
final class Values {
  private Values() {}

  static final AtomicInteger EXECUTIONS = new AtomicInteger();

  /** The result of an operation. */
  private static String seen(Object... parameters) {
    EXECUTIONS.incrementAndGet();
    return Arrays.stream(parameters).map(Values::text).collect(Collectors.joining(" "));
  }

  private static String text(Object seen) {
    if (seen instanceof List<?> list) {
      return list.stream().map(Values::text).collect(Collectors.joining(",", "[", "]"));
    }
    if (seen instanceof JAXBElement<?> element) {
      return element.getName().getLocalPart() + "=" + text(element.getValue());
    }
    if (seen != null && seen.getClass().getName().contains("jaxws_asm")) {
      // The object of an operation's element, which CXF generates.
      return seen.getClass().getSimpleName();
    }
    return seen instanceof Element element ? "<" + element.getLocalName() + ">" + element.getTextContent() : String.valueOf(seen);
  }

  /** An element with a default for each of its numbers. */
  public static class DefaultValues {
    @XmlElement(defaultValue = "5")
    public int count;

    @XmlElement(defaultValue = "true")
    public boolean on;

    @XmlElement(defaultValue = "2.5", required = true)
    public Double ratio;

    @XmlElement(required = true, nillable = true)
    public Integer maybe;

    @Override
    public String toString() {
      return count + " " + on + " " + ratio + " " + maybe;
    }
  }

  /** Elements of any name. */
  public static class AnyContent {
    public int count;

    @XmlAnyElement
    public List<Element> all;

    @Override
    public String toString() {
      return count + text(all);
    }
  }

  /** Elements of any name, and objects where the names are known. */
  public static class KnownContent {
    @XmlAnyElement(lax = true)
    public List<Object> all;

    @Override
    public String toString() {
      return text(all);
    }
  }

  /** Lists in one element, one of two elements, and elements of the same name. */
  public static class ListValues {
    @XmlList
    public List<Integer> list;

    @XmlElements({@XmlElement(name = "number", type = Integer.class), @XmlElement(name = "word", type = String.class)})
    public Object choice;

    public List<Long> many;

    @Override
    public String toString() {
      return text(list) + " " + choice + " " + text(many);
    }
  }

  /** A type that others extend. */
  @XmlSeeAlso({RoundShape.class, NamedShape.class})
  public static class Shape {
    public Integer value;

    @Override
    public String toString() {
      return "figure " + value;
    }
  }

  /** A type with a number more. */
  public static class RoundShape extends Shape {
    public int radius;

    @Override
    public String toString() {
      return "circle " + value + " " + radius;
    }
  }

  /** A type with an element of another type by the same name. */
  public static class NamedShape extends Shape {
    public String radius;

    @Override
    public String toString() {
      return "label " + value + " " + radius;
    }
  }

  /** An element that can be another one. */
  @XmlRootElement(name = "animal")
  @XmlSeeAlso(Dog.class)
  public static class Animal {
    public int legs;

    @Override
    public String toString() {
      return "animal " + legs;
    }
  }

  /** The other one. */
  @XmlRootElement(name = "dog")
  public static class Dog extends Animal {
    public int teeth;

    @Override
    public String toString() {
      return "dog " + legs + " " + teeth;
    }
  }

  /** Holds the element or the other one. */
  public static class Kennel {
    @XmlElementRef
    public Animal animal;

    @Override
    public String toString() {
      return text(animal);
    }
  }

  /** Numbers with names. */
  @XmlEnum(Integer.class)
  public enum Grade {
    @XmlEnumValue("1")
    ONE,
    @XmlEnumValue("2")
    TWO
  }

  /** A text with an attribute. */
  public static class Amount {
    @XmlValue
    public int amount;

    @XmlAttribute
    public String currency;

    @XmlAttribute
    public Integer digits;

    @Override
    public String toString() {
      return amount + currency + digits;
    }
  }

  /** Numbers that are written as texts. */
  public static class Hexadecimal extends XmlAdapter<String, Integer> {
    @Override
    public Integer unmarshal(String text) {
      return Integer.decode(text);
    }

    @Override
    public String marshal(Integer number) {
      return "0x" + Integer.toHexString(number);
    }
  }

  /** Texts that are written as numbers. */
  public static class Lengths extends XmlAdapter<Integer, String> {
    @Override
    public String unmarshal(Integer length) {
      return length == null ? null : "x".repeat(length);
    }

    @Override
    public Integer marshal(String text) {
      return text.length();
    }
  }

  /** Numbers of other forms. */
  public static class OtherForms {
    @XmlJavaTypeAdapter(Hexadecimal.class)
    public Integer value;

    @XmlJavaTypeAdapter(Lengths.class)
    public String length;

    public Grade grade;
    public Amount amount;

    @Override
    public String toString() {
      return value + " " + length + " " + grade + " " + amount;
    }
  }

  /** Wrapped. */
  @WebService(targetNamespace = "urn:values")
  public static class Wrapped extends Counted {
    public String defaults(@WebParam(name = "it") DefaultValues it) {
      return seen(it);
    }

    public String any(@WebParam(name = "it") AnyContent it) {
      return seen(it);
    }

    public String known(@WebParam(name = "it") KnownContent it) {
      return seen(it);
    }

    public String number(@WebParam(name = "value") int value) {
      return seen(value);
    }

    public String word(@WebParam(name = "value") String value) {
      return seen(value);
    }

    public String real(@WebParam(name = "single") float single, @WebParam(name = "twice") double twice) {
      return seen(single, twice);
    }

    public String flag(@WebParam(name = "on") boolean on) {
      return seen(on);
    }

    public String collections(@WebParam(name = "it") ListValues it) {
      return seen(it);
    }

    public String figure(@WebParam(name = "it") Shape it) {
      return seen(it);
    }

    public String cage(@WebParam(name = "it") Kennel it) {
      return seen(it);
    }

    public String adapted(@WebParam(name = "it") OtherForms it) {
      return seen(it);
    }

    public String object(@WebParam(name = "it") Object it) {
      return seen(it);
    }

    public String marked(
        @WebParam(name = "text") String text, @WebParam(name = "mark", header = true, targetNamespace = "urn:values") Integer mark) {
      return seen(text, mark);
    }
  }

  /** Bare. */
  @WebService(targetNamespace = "urn:values")
  @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
  public static class Bare extends Counted {
    @WebMethod
    public String defaults(@WebParam(name = "defaults") DefaultValues it) {
      return seen(it);
    }

    @WebMethod
    public String number(@WebParam(name = "number") Integer value) {
      return seen(value);
    }

    @WebMethod
    public String any(@WebParam(name = "any") AnyContent it) {
      return seen(it);
    }
  }

  /** RPC/literal. */
  @WebService(targetNamespace = "urn:values")
  @SOAPBinding(style = SOAPBinding.Style.RPC)
  public static class Rpc extends Counted {
    public String number(@WebParam(name = "value") int value, @WebParam(name = "it") DefaultValues it) {
      return seen(value, it);
    }

    public String word(@WebParam(name = "value") String value, @WebParam(name = "it") AnyContent it) {
      return seen(value, it);
    }
  }
}
