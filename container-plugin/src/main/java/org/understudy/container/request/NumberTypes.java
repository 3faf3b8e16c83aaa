package org.understudy.container.request;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.apache.ws.commons.schema.XmlSchema;
import org.apache.ws.commons.schema.XmlSchemaAll;
import org.apache.ws.commons.schema.XmlSchemaChoice;
import org.apache.ws.commons.schema.XmlSchemaCollection;
import org.apache.ws.commons.schema.XmlSchemaComplexContentExtension;
import org.apache.ws.commons.schema.XmlSchemaComplexType;
import org.apache.ws.commons.schema.XmlSchemaContentModel;
import org.apache.ws.commons.schema.XmlSchemaElement;
import org.apache.ws.commons.schema.XmlSchemaSequence;
import org.apache.ws.commons.schema.XmlSchemaSimpleType;
import org.apache.ws.commons.schema.XmlSchemaSimpleTypeRestriction;
import org.apache.ws.commons.schema.XmlSchemaType;
import org.apache.ws.commons.schema.constants.Constants;

/** The elements of a service's schemas whose content is an integer of bounded size. Immutable. */
final class NumberTypes {
  /**
   * The values of a type.
   *
   * @param type of XML Schema, for faults
   */
  record Range(String type, long least, long greatest) {}

  private static final Map<QName, Range> TYPES = Map.of(
      Constants.XSD_BYTE, new Range("byte", Byte.MIN_VALUE, Byte.MAX_VALUE),
      Constants.XSD_SHORT, new Range("short", Short.MIN_VALUE, Short.MAX_VALUE),
      Constants.XSD_INT, new Range("int", Integer.MIN_VALUE, Integer.MAX_VALUE),
      Constants.XSD_LONG, new Range("long", Long.MIN_VALUE, Long.MAX_VALUE),
      Constants.XSD_UNSIGNEDBYTE, new Range("unsignedByte", 0, 0xffL),
      Constants.XSD_UNSIGNEDSHORT, new Range("unsignedShort", 0, 0xffffL),
      Constants.XSD_UNSIGNEDINT, new Range("unsignedInt", 0, 0xffff_ffffL));

  private final XmlSchemaCollection schemas;
  private final Map<QName, Range> ranges = new HashMap<>();
  private final Set<QName> ambiguous = new HashSet<>();
  private final Set<Object> seen = new HashSet<>();

  private NumberTypes(XmlSchemaCollection schemas) {
    this.schemas = schemas;
  }

  /** By element. A name that is declared more than once with different types is left out. */
  static Map<QName, Range> of(XmlSchemaCollection schemas) {
    NumberTypes types = new NumberTypes(schemas);
    for (XmlSchema schema : schemas.getXmlSchemas()) {
      schema.getElements().values().forEach(types::element);
      schema.getSchemaTypes().values().forEach(types::type);
    }
    types.ranges.keySet().removeAll(types.ambiguous);
    return Map.copyOf(types.ranges);
  }

  private void element(XmlSchemaElement element) {
    if (element.isRef()) {
      return;
    }
    XmlSchemaType type = element.getSchemaType();
    Range range = range(element.getSchemaTypeName(), type);
    QName name = element.getWireName();
    boolean known = !seen.add(name);
    if (known && (range == null ? ranges.containsKey(name) : !range.equals(ranges.get(name)))) {
      ambiguous.add(name);
    } else if (range != null) {
      ranges.put(name, range);
    }
    type(type);
  }

  private void type(XmlSchemaType type) {
    if (!(type instanceof XmlSchemaComplexType complex) || !seen.add(complex)) {
      return;
    }
    particle(complex.getParticle());
    XmlSchemaContentModel model = complex.getContentModel();
    if (model != null && model.getContent() instanceof XmlSchemaComplexContentExtension extension) {
      particle(extension.getParticle());
    }
  }

  private void particle(Object particle) {
    List<?> items =
        particle instanceof XmlSchemaSequence sequence ? sequence.getItems()
            : particle instanceof XmlSchemaChoice choice ? choice.getItems()
            : particle instanceof XmlSchemaAll all ? all.getItems()
            : List.of();
    for (Object item : items) {
      if (item instanceof XmlSchemaElement element) {
        element(element);
      } else {
        particle(item);
      }
    }
  }

  private Range range(QName name, XmlSchemaType type) {
    Range range = name == null ? null : TYPES.get(name);
    if (range != null) {
      return range;
    }
    XmlSchemaType declared = type == null && name != null ? schemas.getTypeByQName(name) : type;
    return declared instanceof XmlSchemaSimpleType simple
            && simple.getContent() instanceof XmlSchemaSimpleTypeRestriction restriction
            && declared.getQName() != restriction.getBaseTypeName()
        ? range(restriction.getBaseTypeName(), restriction.getBaseType())
        : null;
  }
}
