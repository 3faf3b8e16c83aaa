package org.understudy.durability.compiler.source;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeVariableName;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.understudy.durability.compiler.classes.Operation;

/** Declares methods as a class or an interface declares them. */
final class Methods {
  private Methods() {}

  /** A public method that overrides or implements the operation, without annotations but {@code Deprecated} and without a body. */
  static MethodSpec.Builder declaration(Operation operation) {
    MethodSpec.Builder method = MethodSpec.methodBuilder(operation.name())
        .addModifiers(javax.lang.model.element.Modifier.PUBLIC)
        .returns(TypeName.get(operation.returned()))
        .varargs(operation.method().isVarArgs());
    for (int i = 0; i < operation.bounds().size(); i++) {
      method.addTypeVariable(variable(operation.method().getTypeParameters()[i], operation.bounds().get(i)));
    }
    operation.thrown().forEach(each -> method.addException(TypeName.get(each)));
    return method;
  }

  /** With its bounds, which JavaPoet loses where one refers to the variable itself. */
  private static TypeVariableName variable(TypeVariable<?> variable, List<Type> bounds) {
    return TypeVariableName.get(variable.getName(), bounds.stream().map(TypeName::get).toArray(TypeName[]::new));
  }

  /** Adds the parameters, each with the annotations that it has in the class. */
  static void addParameters(MethodSpec.Builder method, Operation operation, List<List<AnnotationSpec>> annotations) {
    for (int i = 0; i < operation.names().size(); i++) {
      method.addParameter(ParameterSpec.builder(TypeName.get(operation.parameters().get(i)), operation.names().get(i))
          .addAnnotations(annotations.get(i))
          .build());
    }
  }

  /** Adds the parameters. */
  static void addParameters(MethodSpec.Builder method, Operation operation) {
    addParameters(method, operation, operation.names().stream().map(each -> List.<AnnotationSpec>of()).toList());
  }

  /** A name for a variable that is no parameter's. */
  static String variable(String name, Operation operation) {
    String free = name;
    while (operation.names().contains(free)) {
      free = free + "Value";
    }
    return free;
  }

  /** A name that none of the operations has. */
  static String free(String name, List<Operation> operations) {
    String free = name;
    while (isMethod(free, operations)) {
      free = free + "Object";
    }
    return free;
  }

  private static boolean isMethod(String name, List<Operation> operations) {
    return operations.stream().anyMatch(each -> each.name().equals(name));
  }

  /** Whether the method of a class or interface is one of {@code Object} or of an interface, so that the declaration overrides it. */
  static boolean isOfInterface(Operation operation, Set<Class<?>> interfaces) {
    return interfaces.stream().flatMap(each -> Arrays.stream(each.getMethods()))
        .anyMatch(each -> !Modifier.isStatic(each.getModifiers()) && operation.hasSignatureOf(each))
        || Arrays.stream(Object.class.getMethods()).anyMatch(operation::hasSignatureOf);
  }

  /** All interfaces of a class and its superclasses, each once. */
  static Set<Class<?>> interfaces(Class<?> type) {
    Set<Class<?>> found = new HashSet<>();
    List<Class<?>> open = new ArrayList<>(List.of(type));
    while (!open.isEmpty()) {
      Class<?> next = open.remove(open.size() - 1);
      if (next.getSuperclass() != null) {
        open.add(next.getSuperclass());
      }
      for (Class<?> each : next.getInterfaces()) {
        if (found.add(each)) {
          open.add(each);
        }
      }
    }
    return found;
  }

  static String capital(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
