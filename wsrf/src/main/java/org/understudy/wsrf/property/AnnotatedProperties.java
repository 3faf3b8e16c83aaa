package org.understudy.wsrf.property;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.understudy.replication.api.property.ResourceProperties;
import org.understudy.replication.api.property.ResourceProperty;
import org.understudy.soap.envelope.XsBoolean;
import org.understudy.wsrf.contract.Property;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.w3c.dom.Element;

/** The properties that a state object declares by annotations. Accessors are looked up once, at deployment. */
public final class AnnotatedProperties implements PropertySource {
  private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);
  private static final MethodType SETTER = MethodType.methodType(void.class, Object.class, Object.class);

  /**
   * One property.
   *
   * @param list whether it can have several values
   * @param primitive whether it always has exactly one
   * @param setter null when it is read-only
   */
  private record Accessor(ValueType type, boolean list, boolean primitive, MethodHandle getter, MethodHandle setter) {}

  private final Map<QName, Accessor> properties = new LinkedHashMap<>();

  /**
   * Finds the methods marked {@link ResourceProperty}, also inherited ones.
   *
   * @throws IllegalArgumentException when one cannot be a property, in one sentence
   */
  public AnnotatedProperties(Class<?> state) {
    String namespace = state.getAnnotation(ResourceProperties.class).namespace();
    // Java returns methods in no defined order.
    Map<String, Accessor> found = new TreeMap<>();
    for (Class<?> at = state; at != null && at != Object.class; at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        ResourceProperty mark = method.getAnnotation(ResourceProperty.class);
        if (mark != null && !method.isBridge()) {
          String name = mark.value().isEmpty() ? nameOf(method) : mark.value();
          found.putIfAbsent(name, property(at, method));
        }
      }
    }
    found.forEach((name, property) -> properties.put(new QName(namespace, name), property));
  }

  /** The part of a getter's name that is the property's name. */
  private static String nameOf(Method getter) {
    String name = getter.getName();
    int prefix = name.matches("get\\p{Lu}.*") ? 3 : name.matches("is\\p{Lu}.*") ? 2 : 0;
    return Character.toUpperCase(name.charAt(prefix)) + name.substring(prefix + 1);
  }

  private static Accessor property(Class<?> owner, Method getter) {
    boolean list = getter.getReturnType() == List.class;
    Type values = getter.getGenericReturnType();
    if (list && values instanceof ParameterizedType of) {
      values = of.getActualTypeArguments()[0];
    }
    ValueType type = values instanceof Class<?> plain ? ValueType.of(plain) : null;
    if (type == null || getter.getParameterCount() != 0) {
      throw new IllegalArgumentException(
          getter + " cannot be a resource property; see ResourceProperty for the types that can.");
    }
    try {
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(owner, MethodHandles.lookup());
      return new Accessor(
          type, list, getter.getReturnType().isPrimitive(), lookup.unreflect(getter).asType(GETTER),
          setter(owner, getter, lookup));
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException(getter + " cannot be called: " + e.getMessage() + ".", e);
    }
  }

  private static MethodHandle setter(Class<?> owner, Method getter, MethodHandles.Lookup lookup)
      throws IllegalAccessException {
    try {
      Method setter = owner.getDeclaredMethod("set" + nameOf(getter), getter.getReturnType());
      boolean sameType = setter.getGenericParameterTypes()[0].equals(getter.getGenericReturnType());
      return sameType ? lookup.unreflect(setter).asType(SETTER) : null;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  @Override
  public List<QName> names() {
    return List.copyOf(properties.keySet());
  }

  @Override
  public Property describe(QName name) {
    Accessor property = properties.get(name);
    return new Property(
        name, property.type.schema(), !property.primitive, property.list);
  }

  @Override
  public void append(QName name, ResourceTransaction transaction, Instant now, StringBuilder to) {
    Accessor property = properties.get(name);
    Object value = call(() -> property.getter.invokeExact(transaction.target()));
    if (property.list && value != null) {
      for (Object one : (List<?>) value) {
        property.type.write(name, one, to);
      }
    } else if (value != null) {
      property.type.write(name, value, to);
    }
  }

  @Override
  public boolean isModifiable(QName name) {
    return properties.get(name).setter != null;
  }

  @Override
  public void replace(QName name, List<Element> values, ResourceTransaction transaction) {
    Accessor property = properties.get(name);
    for (Element element : values) {
      if (XsBoolean.isTrue(element.getAttributeNS(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil"))) {
        throw new IllegalArgumentException("it is not nillable.");
      }
    }
    Object value;
    if (property.list) {
      List<Object> read = new ArrayList<>(values.size());
      for (Element element : values) {
        read.add(property.type.read(element));
      }
      value = read;
    } else if (values.size() > 1) {
      throw new IllegalArgumentException("it has at most one value.");
    } else if (values.isEmpty() && property.primitive) {
      throw new IllegalArgumentException("it always has a value.");
    } else {
      value = values.isEmpty() ? null : property.type.read(values.get(0));
    }
    call(() -> {
      property.setter.invokeExact(transaction.target(), value);
      return null;
    });
  }

  /** A call of the service's own code through a handle. */
  private interface Code {
    Object run() throws Throwable;
  }

  private static Object call(Code code) {
    try {
      return code.run();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("A property's accessor failed: " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return properties.keySet().toString();
  }
}
