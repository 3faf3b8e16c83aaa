package org.understudy.durability.compiler.source;

import com.palantir.javapoet.AnnotationSpec;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.understudy.durability.compiler.classes.Operation;
import org.understudy.durability.compiler.classes.Types;

/** The warnings of Java's compiler that code gets because it declares the same methods as a class of the user. */
final class Warnings {
  private Warnings() {}

  /** The annotation that suppresses them; empty if there are none. */
  static Optional<AnnotationSpec> of(List<Operation> operations, Class<?>... classes) {
    Set<String> names = new TreeSet<>();
    Stream.concat(
            Stream.concat(Arrays.stream(classes), operations.stream().map(Operation::method)),
            operations.stream().flatMap(Operation::types).flatMap(Types::classes))
        .forEach(each -> deprecation(each, names));
    if (operations.stream().flatMap(Operation::types).anyMatch(Warnings::isRaw)) {
      names.add("rawtypes");
    }
    if (operations.stream().anyMatch(Warnings::takesGenericArray)) {
      names.add("unchecked");
    }
    if (names.isEmpty()) {
      return Optional.empty();
    }
    AnnotationSpec.Builder annotation = AnnotationSpec.builder(SuppressWarnings.class);
    names.forEach(each -> annotation.addMember("value", "$S", each));
    return Optional.of(annotation.build());
  }

  private static void deprecation(AnnotatedElement element, Set<String> names) {
    Deprecated deprecated = element.getAnnotation(Deprecated.class);
    if (deprecated != null) {
      names.add(deprecated.forRemoval() ? "removal" : "deprecation");
    }
  }

  private static boolean isRaw(Type type) {
    if (type instanceof Class<?> plain) {
      return plain.isArray() ? isRaw(plain.getComponentType()) : plain.getTypeParameters().length > 0;
    } else if (type instanceof GenericArrayType array) {
      return isRaw(array.getGenericComponentType());
    }
    return type instanceof ParameterizedType generic && Arrays.stream(generic.getActualTypeArguments()).anyMatch(Warnings::isRaw);
  }

  /** A variable number of arguments with type arguments. */
  private static boolean takesGenericArray(Operation operation) {
    return operation.method().isVarArgs()
        && operation.parameters().get(operation.parameters().size() - 1) instanceof GenericArrayType;
  }
}
