package org.understudy.container.interceptor;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import org.apache.ws.commons.schema.XmlSchema;
import org.apache.ws.commons.schema.XmlSchemaAll;
import org.apache.ws.commons.schema.XmlSchemaChoice;
import org.apache.ws.commons.schema.XmlSchemaCollection;
import org.apache.ws.commons.schema.XmlSchemaComplexContentExtension;
import org.apache.ws.commons.schema.XmlSchemaComplexType;
import org.apache.ws.commons.schema.XmlSchemaElement;
import org.apache.ws.commons.schema.XmlSchemaParticle;
import org.apache.ws.commons.schema.XmlSchemaSequence;
import org.apache.ws.commons.schema.XmlSchemaSimpleType;
import org.apache.ws.commons.schema.XmlSchemaSimpleTypeRestriction;
import org.apache.ws.commons.schema.XmlSchemaType;
import org.apache.ws.commons.schema.constants.Constants;

/**
 * The elements of a service's schemas that a data binding maps to Java primitives, and the elements that must contain some of those.
 * Not changed after the service is published.
 */
final class PrimitiveTypes {
  private static final Pattern FLOATING =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,9})?|[+-]?INF|NaN");
  private static final Map<QName, Type> TYPES = Map.of(
      Constants.XSD_BYTE, integer("byte", Byte.MIN_VALUE, Byte.MAX_VALUE),
      Constants.XSD_SHORT, integer("short", Short.MIN_VALUE, Short.MAX_VALUE),
      Constants.XSD_INT, integer("int", Integer.MIN_VALUE, Integer.MAX_VALUE),
      Constants.XSD_LONG, integer("long", Long.MIN_VALUE, Long.MAX_VALUE),
      Constants.XSD_UNSIGNEDBYTE, integer("unsignedByte", 0, 0xffL),
      Constants.XSD_UNSIGNEDSHORT, integer("unsignedShort", 0, 0xffffL),
      Constants.XSD_UNSIGNEDINT, integer("unsignedInt", 0, 0xffff_ffffL),
      Constants.XSD_FLOAT, new Type("float", text -> FLOATING.matcher(text).matches()),
      Constants.XSD_DOUBLE, new Type("double", text -> FLOATING.matcher(text).matches()),
      Constants.XSD_BOOLEAN, new Type("boolean", Set.of("true", "false", "1", "0")::contains));

  private final XmlSchemaCollection schemas;
  private final Map<QName, Type> byElement = new HashMap<>();
  private final Map<QName, Set<QName>> required = new HashMap<>();
  private final Set<QName> ambiguous = new HashSet<>();
  private final Set<Object> seen = new HashSet<>();
  private final Map<QName, Map<String, Type>> parts = new HashMap<>();

  /**
   * A primitive type.
   *
   * @param name the local name in XML Schema, for faults
   */
  record Type(String name, Predicate<String> values) {
    boolean accepts(String text) {
      return values.test(text);
    }
  }

  private PrimitiveTypes(XmlSchemaCollection schemas) {
    this.schemas = schemas;
  }

  private static Type integer(String name, long min, long max) {
    return new Type(
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

  /** Reads element types from these schemas. A name with several declarations of different types is left out. */
  static PrimitiveTypes of(XmlSchemaCollection schemas) {
    PrimitiveTypes types = new PrimitiveTypes(schemas);
    for (XmlSchema schema : schemas.getXmlSchemas()) {
      schema.getElements().forEach((name, element) -> types.element(name, element));
      schema.getSchemaTypes().values().forEach(types::type);
    }
    types.byElement.keySet().removeAll(types.ambiguous);
    types.required.values().forEach(names -> names.removeIf(name -> !types.byElement.containsKey(name)));
    return types;
  }

  /**
   * Adds an operation of style RPC. Each of its primitive parts is required.
   *
   * @param operation its element in the Body
   * @param declared the types of its parts by their names
   */
  void add(QName operation, Map<String, QName> declared) {
    Map<String, Type> primitives = new HashMap<>();
    declared.forEach((name, type) -> {
      Type primitive = primitive(type, null);
      if (primitive != null) {
        primitives.put(name, primitive);
      }
    });
    parts.put(operation, Map.copyOf(primitives));
    required.put(operation, primitives.keySet().stream().map(QName::new).collect(Collectors.toSet()));
  }

  /** The primitive parts of an operation of style RPC, by name; none for any other element. */
  Map<String, Type> parts(QName operation) {
    return parts.getOrDefault(operation, Map.of());
  }

  /** Returns the primitive type of an element, or null. */
  Type type(QName element) {
    return byElement.get(element);
  }

  /** Returns the primitive elements that this element must contain. */
  Set<QName> required(QName element) {
    return required.getOrDefault(element, Set.of());
  }

  /** @param name the name on the wire; always qualified for a top-level element of a schema */
  private void element(QName name, XmlSchemaElement element) {
    XmlSchemaType declared = declared(element);
    Type type = primitive(element.getSchemaTypeName(), declared);
    Set<QName> children = new HashSet<>();
    if (declared instanceof XmlSchemaComplexType complex) {
      addRequired(complex, children);
    }
    if (!seen.add(name)) {
      if (type == null ? byElement.containsKey(name) : !type.equals(byElement.get(name))) {
        ambiguous.add(name);
      }
      // Two elements have this name: only the children that both require are required.
      required.get(name).retainAll(children);
    } else {
      if (type != null) {
        byElement.put(name, type);
      }
      required.put(name, children);
    }
    type(element.getSchemaType());
  }

  private XmlSchemaType declared(XmlSchemaElement element) {
    QName name = element.getSchemaTypeName();
    return element.getSchemaType() == null && name != null ? schemas.getTypeByQName(name) : element.getSchemaType();
  }

  private void type(XmlSchemaType type) {
    if (!(type instanceof XmlSchemaComplexType complex) || !seen.add(complex)) {
      return;
    }
    elements(complex.getParticle());
    if (complex.getContentModel() != null
        && complex.getContentModel().getContent() instanceof XmlSchemaComplexContentExtension extension) {
      elements(extension.getParticle());
    }
  }

  private static List<?> items(Object particle) {
    return particle instanceof XmlSchemaSequence sequence ? sequence.getItems()
        : particle instanceof XmlSchemaChoice choice ? choice.getItems()
        : particle instanceof XmlSchemaAll all ? all.getItems()
        : List.of();
  }

  private void elements(Object particle) {
    for (Object item : items(particle)) {
      if (item instanceof XmlSchemaElement element) {
        if (!element.isRef()) {
          element(element.getWireName(), element);
        }
      } else {
        elements(item);
      }
    }
  }

  // ---- required elements

  private void addRequired(XmlSchemaComplexType type, Set<QName> to) {
    addRequired(type.getParticle(), to);
    if (type.getContentModel() != null
        && type.getContentModel().getContent() instanceof XmlSchemaComplexContentExtension extension) {
      addRequired(extension.getParticle(), to);
      if (schemas.getTypeByQName(extension.getBaseTypeName()) instanceof XmlSchemaComplexType base && base != type) {
        addRequired(base, to);
      }
    }
  }

  private void addRequired(XmlSchemaParticle particle, Set<QName> to) {
    if (particle == null || particle.getMinOccurs() < 1 || particle instanceof XmlSchemaChoice) {
      return;
    }
    for (Object item : items(particle)) {
      if (!(item instanceof XmlSchemaElement element)) {
        addRequired(item instanceof XmlSchemaParticle inner ? inner : null, to);
        continue;
      }
      XmlSchemaElement target = element.isRef() ? element.getRef().getTarget() : element;
      if (element.getMinOccurs() > 0
          && target != null
          && !target.isNillable()
          && target.getDefaultValue() == null
          && target.getFixedValue() == null
          && primitive(target.getSchemaTypeName(), declared(target)) != null) {
        to.add(element.isRef() ? target.getQName() : target.getWireName());
      }
    }
  }

  private Type primitive(QName name, XmlSchemaType type) {
    Type primitive = name == null ? null : TYPES.get(name);
    if (primitive != null) {
      return primitive;
    }
    XmlSchemaType declared = type == null && name != null ? schemas.getTypeByQName(name) : type;
    return declared instanceof XmlSchemaSimpleType simple
            && simple.getContent() instanceof XmlSchemaSimpleTypeRestriction restriction
            && declared.getQName() != restriction.getBaseTypeName()
        ? primitive(restriction.getBaseTypeName(), restriction.getBaseType())
        : null;
  }
}
