package org.understudy.container.interceptor;

import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.apache.ws.commons.schema.XmlSchema;
import org.apache.ws.commons.schema.XmlSchemaAll;
import org.apache.ws.commons.schema.XmlSchemaAny;
import org.apache.ws.commons.schema.XmlSchemaAttribute;
import org.apache.ws.commons.schema.XmlSchemaAttributeGroup;
import org.apache.ws.commons.schema.XmlSchemaAttributeGroupRef;
import org.apache.ws.commons.schema.XmlSchemaChoice;
import org.apache.ws.commons.schema.XmlSchemaCollection;
import org.apache.ws.commons.schema.XmlSchemaComplexContentExtension;
import org.apache.ws.commons.schema.XmlSchemaComplexContentRestriction;
import org.apache.ws.commons.schema.XmlSchemaComplexType;
import org.apache.ws.commons.schema.XmlSchemaContentProcessing;
import org.apache.ws.commons.schema.XmlSchemaElement;
import org.apache.ws.commons.schema.XmlSchemaGroup;
import org.apache.ws.commons.schema.XmlSchemaGroupRef;
import org.apache.ws.commons.schema.XmlSchemaParticle;
import org.apache.ws.commons.schema.XmlSchemaSequence;
import org.apache.ws.commons.schema.XmlSchemaSimpleContentExtension;
import org.apache.ws.commons.schema.XmlSchemaSimpleContentRestriction;
import org.apache.ws.commons.schema.XmlSchemaSimpleType;
import org.apache.ws.commons.schema.XmlSchemaSimpleTypeList;
import org.apache.ws.commons.schema.XmlSchemaSimpleTypeRestriction;
import org.apache.ws.commons.schema.XmlSchemaType;
import org.understudy.container.interceptor.ElementContent.DeclaredElement;

/**
 * What the schemas of a service declare about numbers and booleans: by the type of each element at its place, as a data binding reads
 * them. Not changed after the service is published.
 */
final class MessageSchema {
  private final XmlSchemaCollection schemas;
  private final Map<QName, XmlSchemaElement> globals = new HashMap<>();
  private final Map<QName, DeclaredElement> elements = new HashMap<>();
  private final Map<QName, ElementContent> types = new HashMap<>();
  private final IdentityHashMap<XmlSchemaType, ElementContent> contents = new IdentityHashMap<>();
  private final Map<QName, DeclaredElement> operations = new HashMap<>();
  private final Map<QName, Set<QName>> headers = new HashMap<>();

  private MessageSchema(XmlSchemaCollection schemas) {
    this.schemas = schemas;
  }

  /** Returns a schema without declarations. */
  static MessageSchema empty() {
    return new MessageSchema(new XmlSchemaCollection());
  }

  static MessageSchema of(XmlSchemaCollection schemas) {
    MessageSchema read = new MessageSchema(schemas);
    PrimitiveType.BUILT_IN.forEach((name, type) -> read.types.put(name, new ElementContent(type)));
    for (XmlSchema schema : schemas.getXmlSchemas()) {
      read.globals.putAll(schema.getElements());
    }
    read.globals.forEach((name, element) -> read.elements.put(name, read.declared(element)));
    for (XmlSchema schema : schemas.getXmlSchemas()) {
      schema.getSchemaTypes().forEach((name, type) -> read.types.putIfAbsent(name, read.content(name, type)));
    }
    return read;
  }

  /**
   * Adds an operation of style RPC. Each of its primitive parts is required.
   *
   * @param operation its element in the Body
   * @param parts the types of its parts by their names
   */
  void add(QName operation, Map<String, QName> parts) {
    ElementContent content = ElementContent.ofParts();
    parts.forEach((name, type) -> {
      ElementContent part = content(type, schemas.getTypeByQName(type));
      content.add(new QName(name), new DeclaredElement(part, false, false));
      if (isScalar(part)) {
        content.require(new QName(name));
      }
    });
    operations.put(operation, new DeclaredElement(content, false, false));
  }

  /**
   * Adds header blocks that an operation reads.
   *
   * @param operation its element in the Body
   */
  void addHeaders(QName operation, Set<QName> names) {
    headers.computeIfAbsent(operation, name -> new HashSet<>()).addAll(names);
  }

  /** Returns the element of an operation in the Body. */
  DeclaredElement operation(QName element) {
    DeclaredElement rpc = operations.get(element);
    return rpc == null ? element(element) : rpc;
  }

  /** Whether an operation reads this header block. */
  boolean readsHeader(QName operation, QName header) {
    return headers.getOrDefault(operation, Set.of()).contains(header);
  }

  /** Returns the declaration of an element that can stand anywhere; {@link DeclaredElement#UNKNOWN} when there is none. */
  DeclaredElement element(QName name) {
    return elements.getOrDefault(name, DeclaredElement.UNKNOWN);
  }

  /** Returns the content of a type, or null. */
  ElementContent type(QName name) {
    return types.get(name);
  }

  private DeclaredElement declared(XmlSchemaElement element) {
    return new DeclaredElement(
        content(element.getSchemaTypeName(), element.getSchemaType()),
        element.isNillable(),
        element.getDefaultValue() != null || element.getFixedValue() != null);
  }

  /** @param declared null when only the name is known */
  private ElementContent content(QName name, XmlSchemaType declared) {
    PrimitiveType builtIn = name == null ? null : PrimitiveType.BUILT_IN.get(name);
    if (builtIn != null) {
      return types.get(name);
    }
    XmlSchemaType type = declared == null && name != null ? schemas.getTypeByQName(name) : declared;
    if (type == null) {
      return ElementContent.UNKNOWN;
    }
    ElementContent known = contents.get(type);
    if (known == null) {
      known = new ElementContent(null);
      // Before its content, because a type can contain elements of itself.
      contents.put(type, known);
      fill(known, type, new HashSet<>());
    }
    return known;
  }

  /** @param above the types that are being filled into this content, so that one that extends itself does no harm */
  private void fill(ElementContent content, XmlSchemaType type, Set<XmlSchemaType> above) {
    if (type instanceof XmlSchemaSimpleType simple) {
      content.setValue(primitive(null, simple, new HashSet<>()));
    } else if (type instanceof XmlSchemaComplexType complex && above.add(complex)) {
      Object model = complex.getContentModel() == null ? null : complex.getContentModel().getContent();
      if (model instanceof XmlSchemaComplexContentExtension extension) {
        fill(content, schemas.getTypeByQName(extension.getBaseTypeName()), above);
        addElements(content, extension.getParticle(), true);
        extension.getAttributes().forEach(attribute -> addAttribute(content, attribute));
      } else if (model instanceof XmlSchemaComplexContentRestriction restriction) {
        fillAttributes(content, schemas.getTypeByQName(restriction.getBaseTypeName()), above);
        addElements(content, restriction.getParticle(), true);
        restriction.getAttributes().forEach(attribute -> addAttribute(content, attribute));
      } else if (model instanceof XmlSchemaSimpleContentExtension extension) {
        fillSimple(content, extension.getBaseTypeName(), above);
        extension.getAttributes().forEach(attribute -> addAttribute(content, attribute));
      } else if (model instanceof XmlSchemaSimpleContentRestriction restriction) {
        fillSimple(content, restriction.getBaseTypeName(), above);
        restriction.getAttributes().forEach(attribute -> addAttribute(content, attribute));
      } else {
        addElements(content, complex.getParticle(), true);
        complex.getAttributes().forEach(attribute -> addAttribute(content, attribute));
      }
    }
  }

  private void fillSimple(ElementContent content, QName base, Set<XmlSchemaType> above) {
    PrimitiveType builtIn = PrimitiveType.BUILT_IN.get(base);
    if (builtIn == null) {
      fill(content, schemas.getTypeByQName(base), above);
    } else {
      content.setValue(builtIn);
    }
  }

  /** A restriction repeats the elements of its base that it keeps, and inherits its attributes. */
  private void fillAttributes(ElementContent content, XmlSchemaType base, Set<XmlSchemaType> above) {
    ElementContent all = new ElementContent(null);
    fill(all, base, above);
    all.attributes().forEach(content::addAttribute);
  }

  private static List<?> items(Object particle) {
    return particle instanceof XmlSchemaSequence sequence ? sequence.getItems()
        : particle instanceof XmlSchemaChoice choice ? choice.getItems()
        : particle instanceof XmlSchemaAll all ? all.getItems()
        : List.of();
  }

  /** @param required whether the content must have the particle */
  private void addElements(ElementContent to, XmlSchemaParticle particle, boolean required) {
    if (particle == null) {
      return;
    }
    boolean needed = required && particle.getMinOccurs() > 0;
    if (particle instanceof XmlSchemaElement element) {
      addElement(to, element, needed);
    } else if (particle instanceof XmlSchemaGroupRef group) {
      XmlSchemaGroup target = schemas.getGroupByQName(group.getRefName());
      addElements(to, target == null ? null : target.getParticle(), needed);
    } else if (particle instanceof XmlSchemaAny any && any.getProcessContent() != XmlSchemaContentProcessing.SKIP) {
      to.permitAnyKnown();
    }
    for (Object item : items(particle)) {
      if (item instanceof XmlSchemaParticle inner) {
        addElements(to, inner, needed && !(particle instanceof XmlSchemaChoice));
      }
    }
  }

  private void addElement(ElementContent to, XmlSchemaElement element, boolean needed) {
    XmlSchemaElement target = element.isRef() ? element.getRef().getTarget() : element;
    if (target == null) {
      return;
    }
    QName name = element.isRef() ? target.getQName() : target.getWireName();
    DeclaredElement declared = declared(target);
    to.add(name, declared);
    boolean substituted = element.isRef() && addSubstitutes(to, name, new HashSet<>(Set.of(name)));
    if (needed && !substituted && !declared.nillable() && !declared.hasValueIfEmpty() && isScalar(declared.content())) {
      to.require(name);
    }
  }

  /** Returns whether there are elements that can stand in the place of the named one. */
  private boolean addSubstitutes(ElementContent to, QName head, Set<QName> added) {
    boolean found = false;
    for (XmlSchemaElement element : globals.values()) {
      if (head.equals(element.getSubstitutionGroup()) && added.add(element.getQName())) {
        found = true;
        to.add(element.getQName(), declared(element));
        addSubstitutes(to, element.getQName(), added);
      }
    }
    return found;
  }

  private void addAttribute(ElementContent to, Object member) {
    if (member instanceof XmlSchemaAttribute attribute) {
      XmlSchemaAttribute target = attribute.isRef() ? attribute.getRef().getTarget() : attribute;
      PrimitiveType type = target == null ? null : primitive(target.getSchemaTypeName(), target.getSchemaType(), new HashSet<>());
      if (type != null) {
        to.addAttribute(attribute.isRef() ? target.getQName() : target.getWireName(), type);
      }
    } else if (member instanceof XmlSchemaAttributeGroupRef reference && reference.getRef().getTarget() != null) {
      reference.getRef().getTarget().getAttributes().forEach(one -> addAttribute(to, one));
    } else if (member instanceof XmlSchemaAttributeGroup group) {
      group.getAttributes().forEach(one -> addAttribute(to, one));
    }
  }

  /** A list may be empty, and a text of it is never replaced by another value when it is missing. */
  private static boolean isScalar(ElementContent content) {
    return content.value() != null && !content.value().isList();
  }

  /** Returns null for a union, which data bindings read as text, and for any other type that is not mapped to a primitive. */
  private PrimitiveType primitive(QName name, XmlSchemaType declared, Set<XmlSchemaType> above) {
    PrimitiveType builtIn = name == null ? null : PrimitiveType.BUILT_IN.get(name);
    if (builtIn != null) {
      return builtIn;
    }
    XmlSchemaType type = declared == null && name != null ? schemas.getTypeByQName(name) : declared;
    if (!(type instanceof XmlSchemaSimpleType simple) || !above.add(type)) {
      return null;
    }
    if (simple.getContent() instanceof XmlSchemaSimpleTypeRestriction restriction) {
      return primitive(restriction.getBaseTypeName(), restriction.getBaseType(), above);
    }
    if (simple.getContent() instanceof XmlSchemaSimpleTypeList list) {
      PrimitiveType item = primitive(list.getItemTypeName(), list.getItemType(), above);
      return item == null ? null : item.list();
    }
    return null;
  }
}
