package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.objenesis.instantiator.ObjectInstantiator;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultSerializers;
import jakarta.xml.bind.JAXBContext;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.TypeVariable;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.understudy.replication.api.ReplicatedState;

/** Walks from the captured fields of a class through all declared types. For one walk and one thread. */
final class TypeWalk {
  /** Bounds the walk through a generic type that contains itself with other arguments. */
  private static final int MAX_STEPS = 100;

  private final Class<?> root;
  private final Set<String> serializable;
  /** The types that any {@link ReplicatedState} annotation names. */
  private final Set<Class<?>> declared = new LinkedHashSet<>();
  private final Set<Class<?>> declaredXml = new LinkedHashSet<>();
  private final Map<Class<?>, Shape.Part> parts = new HashMap<>();
  private final Set<ResolvedType> visited = new HashSet<>();
  private final Deque<String> path = new ArrayDeque<>();
  private boolean rootIsPart;
  /** The fault of the first type in this pass without named implementations. */
  private StateException unnamed;

  private TypeWalk(Class<?> root, Set<String> serializable) {
    this.root = root;
    this.serializable = serializable;
  }

  /**
   * Returns the shape of the state of a marked class.
   *
   * @param serializable names of classes that Java serialization may capture
   * @throws StateException when a type cannot be captured
   */
  static Shape shape(Class<?> root, Set<String> serializable) {
    List<Field> fields = StateFields.marked(root);
    if (fields.isEmpty()) {
      throw new StateException(
          root.getName() + " is marked @ReplicatedState and has no field that could be state. Remove the mark, or mark a field.");
    }
    return shape(root, fields, List.of(), serializable);
  }

  /**
   * Returns the shape of these fields of a class.
   *
   * @param types what fields of interfaces and of {@code Object} may hold, beyond what annotations name
   */
  static Shape shape(Class<?> root, List<Field> fields, Collection<Class<?>> types, Set<String> serializable) {
    TypeWalk walk = new TypeWalk(root, serializable);
    walk.declare(root);
    walk.declared.addAll(types);
    // A type that a later class names may be an implementation for an earlier field.
    int known;
    do {
      known = walk.namedCount();
      walk.pass(fields, known);
    } while (walk.namedCount() > known);
    List<CapturedField> captured = fields.stream().map(CapturedField::new).toList();
    ObjectForm others = walk.rootIsPart ? new ObjectForm(captured, instances(root)) : null;
    return new Shape(root, captured, others, describe(root, "state", fields), List.copyOf(walk.parts.values()));
  }

  /** Returns the number of classes that the annotations found so far name. */
  private int namedCount() {
    return declared.size() + declaredXml.size();
  }

  private void pass(List<Field> fields, int known) {
    parts.clear();
    visited.clear();
    path.clear();
    unnamed = null;
    walkFields(ResolvedType.of(root), fields);
    for (Class<?> named : List.copyOf(declared)) {
      // The content of a container of the JDK is checked when it is captured.
      if (!KnownTypes.ALL.contains(named)) {
        step("@ReplicatedState of " + root.getSimpleName(), ResolvedType.of(named));
      }
    }
    if (unnamed != null && namedCount() == known) {
      throw unnamed;
    }
  }

  /** Adds the types that the annotations in a class name. */
  private void declare(Class<?> type) {
    for (Class<?> at : StateFields.hierarchy(type)) {
      add(at.getAnnotation(ReplicatedState.class));
      for (Field field : at.getDeclaredFields()) {
        add(field.getAnnotation(ReplicatedState.class));
      }
    }
  }

  private void add(ReplicatedState mark) {
    if (mark != null) {
      declared.addAll(Arrays.asList(mark.types()));
      declaredXml.addAll(Arrays.asList(mark.xml()));
    }
  }

  private void walkFields(ResolvedType owner, List<Field> fields) {
    Map<TypeVariable<?>, ResolvedType> variables = owner.variables();
    for (Field field : fields) {
      String step = field.getDeclaringClass().getSimpleName() + "." + field.getName();
      step(step, ResolvedType.of(field.getGenericType(), variables));
    }
  }

  private void step(String step, ResolvedType type) {
    path.addLast(step);
    if (path.size() > MAX_STEPS) {
      throw refused(type.raw(), "is nested more than " + MAX_STEPS + " types deep");
    }
    walk(type);
    path.removeLast();
  }

  private void walk(ResolvedType type) {
    Class<?> raw = type.raw();
    if (raw.isPrimitive()) {
      return;
    }
    if (raw == root) {
      rootIsPart = true;
    } else if (KnownTypes.ALL.covers(raw) || raw == java.util.EnumMap.class) {
      walkArguments(type);
    } else if (raw.isArray()) {
      step("element", type.arguments().get(0));
      put(raw, "array", () -> new ContainerForms.OfArray(raw.getComponentType()));
    } else if (raw.isEnum()) {
      String constants = Arrays.stream(raw.getEnumConstants()).map(one -> ((Enum<?>) one).name()).collect(Collectors.joining(","));
      put(raw, "enum " + constants, () -> enumForm(raw));
    } else if (declaredXml.contains(raw)) {
      JAXBContext context = XmlForm.context(raw);
      put(raw, "xml " + XmlForm.schema(context), () -> new XmlForm(context, raw));
    } else if (serializable.contains(raw.getName())) {
      requireSerializable(raw);
      put(raw, JavaForm.describe(serializable, raw.getClassLoader()), () -> new JavaForm(serializable, raw.getClassLoader()));
    } else if (raw.isInterface() || Modifier.isAbstract(raw.getModifiers()) || raw == Object.class) {
      walkImplementations(type);
    } else {
      walkClass(type);
    }
  }

  private void requireSerializable(Class<?> raw) {
    if (!Serializable.class.isAssignableFrom(raw)) {
      throw refused(raw, "is listed in understudy.state.serializable and does not implement java.io.Serializable");
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // The enum is known at run time only.
  private static Serializer<?> enumForm(Class<?> type) {
    return new DefaultSerializers.EnumSerializer((Class<? extends Enum>) type);
  }

  private void put(Class<?> type, String description, Supplier<Serializer<?>> serializer) {
    parts.putIfAbsent(type, new Shape.Part(type, type.getTypeName() + " " + description, serializer));
  }

  private void walkArguments(ResolvedType type) {
    Class<?> raw = type.raw();
    if (raw.getTypeParameters().length > type.arguments().size()) {
      throw refused(raw, "is used without type arguments, so its contents are unknown. Declare them, for example List<String>");
    }
    if (!visited.add(type)) {
      return;
    }
    boolean map = Map.class.isAssignableFrom(raw);
    String container = map ? "Map" : Collection.class.isAssignableFrom(raw) ? "Collection" : raw.getSimpleName();
    for (int i = 0; i < type.arguments().size(); i++) {
      String role = map ? (i == 0 ? " key" : " value") : " element";
      step(container + role, type.arguments().get(i));
    }
  }

  private void walkImplementations(ResolvedType type) {
    Class<?> raw = type.raw();
    Set<Class<?>> implementations = new LinkedHashSet<>();
    if (raw.isSealed()) {
      implementations.addAll(Arrays.asList(raw.getPermittedSubclasses()));
    }
    declared.stream().filter(raw::isAssignableFrom).filter(one -> one != raw).forEach(implementations::add);
    if (implementations.isEmpty() && unnamed == null) {
      unnamed =
          refused(
              raw,
              "has implementations that its declaration does not name. Name them in @ReplicatedState(types = …), declare a class, "
                  + "or mark the field transient if it is no state");
    }
    for (Class<?> one : implementations) {
      ResolvedType implementation = type.subtype(one);
      // A container of the JDK, as an implementation, may hold the declared types.
      if (!KnownTypes.ALL.contains(one) && visited.add(new ResolvedType(one, List.of(implementation)))) {
        step(one.getSimpleName(), implementation);
      }
    }
  }

  private void walkClass(ResolvedType type) {
    Class<?> raw = type.raw();
    if (KnownTypes.isOfJdk(raw)) {
      throw refused(
          raw,
          "is a class of the JDK that cannot be captured. Keep what is needed in another type, or mark the field transient if it "
              + "is no state");
    }
    for (Class<?> above = raw.getSuperclass(); above != Object.class && !raw.isRecord(); above = above.getSuperclass()) {
      if (KnownTypes.isOfJdk(above)) {
        throw refused(
            raw,
            "extends " + above.getName() + ", whose fields cannot be captured. Hold an object of a class of the JDK in a field instead");
      }
    }
    if (!visited.add(type)) {
      return;
    }
    declare(raw);
    if (raw.isSealed()) {
      Arrays.stream(raw.getPermittedSubclasses()).forEach(one -> step(one.getSimpleName(), type.subtype(one)));
    }
    if (raw.isRecord()) {
      List<Field> components = components(raw);
      put(raw, describe(raw, "record", components), recordForm(raw, components));
      walkFields(type, components);
    } else {
      List<Field> fields = StateFields.all(raw);
      requireConstructorForTransients(raw);
      put(raw, describe(raw, "object", fields), objectForm(raw, fields));
      walkFields(type, fields);
    }
  }

  private static List<Field> components(Class<?> type) {
    return Arrays.stream(type.getRecordComponents()).map(component -> {
      try {
        return type.getDeclaredField(component.getName());
      } catch (NoSuchFieldException e) {
        throw new IllegalStateException("A component of a record has a field of its name.", e);
      }
    }).toList();
  }

  private static Supplier<Serializer<?>> objectForm(Class<?> type, List<Field> fields) {
    List<CapturedField> captured = fields.stream().map(CapturedField::new).toList();
    Supplier<Object> instances = instances(type);
    return () -> new ObjectForm(captured, instances);
  }

  private static Supplier<Serializer<?>> recordForm(Class<?> type, List<Field> components) {
    Class<?>[] types = Arrays.stream(type.getRecordComponents()).map(RecordComponent::getType).toArray(Class<?>[]::new);
    List<CapturedField> captured = components.stream().map(CapturedField::new).toList();
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(types);
      canonical.setAccessible(true);
      MethodHandle constructor =
          MethodHandles.lookup().unreflectConstructor(canonical)
              .asSpreader(Object[].class, types.length)
              .asType(MethodType.methodType(Object.class, Object[].class));
      return () -> new RecordForm(captured, constructor);
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw new StateException(type.getName() + ": the canonical constructor cannot be called: " + e.getMessage() + ".");
    }
  }

  /** Returns a factory that uses the constructor without parameters, of any visibility; without one, a factory that uses none. */
  private static Supplier<Object> instances(Class<?> type) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      MethodHandle handle =
          MethodHandles.lookup().unreflectConstructor(constructor).asType(MethodType.methodType(Object.class));
      return () -> construct(type, handle);
    } catch (NoSuchMethodException e) {
      ObjectInstantiator<?> instantiator = new StdInstantiatorStrategy().newInstantiatorOf(type);
      return instantiator::newInstance;
    } catch (IllegalAccessException | InaccessibleObjectException e) {
      throw new StateException(type.getName() + ": the constructor cannot be called: " + e.getMessage() + ".");
    }
  }

  private static Object construct(Class<?> type, MethodHandle constructor) {
    try {
      return (Object) constructor.invokeExact();
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new StateException("the constructor of " + type.getName() + " throws " + e + ".");
    }
  }

  /** Rejects transient final fields that would stay null in every restored object, because no constructor sets them. */
  private void requireConstructorForTransients(Class<?> type) {
    boolean constructed = Arrays.stream(type.getDeclaredConstructors()).anyMatch(one -> one.getParameterCount() == 0);
    for (Class<?> at : StateFields.hierarchy(type)) {
      for (Field field : at.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (!constructed && Modifier.isTransient(modifiers) && Modifier.isFinal(modifiers) && !Modifier.isStatic(modifiers)) {
          throw refused(
              type,
              "has the transient final field " + field.getName() + " and no constructor without parameters that could set it in a "
                  + "restored object. Add one");
        }
      }
    }
  }

  private static String describe(Class<?> type, String kind, List<Field> fields) {
    String described =
        fields.stream()
            .map(field -> field.getDeclaringClass().getTypeName() + "." + field.getName() + ":" + field.getGenericType().getTypeName())
            .collect(Collectors.joining(","));
    return kind.equals("state") ? type.getTypeName() + " state " + described : kind + " " + described;
  }

  private StateException refused(Class<?> type, String why) {
    return new StateException(String.join(" -> ", path) + " -> " + type.getTypeName() + ": " + type.getSimpleName() + " " + why + ".");
  }
}
