package org.understudy.durability.compiler.classes;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.understudy.durability.mapping.Place;

/**
 * A public method as a generated class declares it.
 *
 * @param method of the service, or of the interface of a state object
 * @param returned its type, without type variables of supertypes
 * @param parameters types, likewise
 * @param thrown types, likewise
 * @param bounds of the type parameters of the method, likewise
 * @param names of the parameters: of the source where the class was compiled with {@code -parameters}
 */
public record Operation(
    Method method, Type returned, List<Type> parameters, List<Type> thrown, List<List<Type>> bounds, List<String> names) {

  /** The method as it is in a class that has or inherits it. */
  public static Operation of(Class<?> type, Method method) {
    Class<?> declaring = method.getDeclaringClass();
    return new Operation(
        method,
        Types.in(type, declaring, method.getGenericReturnType()),
        Arrays.stream(method.getGenericParameterTypes()).map(each -> Types.in(type, declaring, each)).toList(),
        Arrays.stream(method.getGenericExceptionTypes()).map(each -> Types.in(type, declaring, each)).toList(),
        Arrays.stream(method.getTypeParameters())
            .map(each -> Arrays.stream(each.getBounds()).map(bound -> Types.in(type, declaring, bound)).toList())
            .toList(),
        Arrays.stream(method.getParameters()).map(each -> each.getName()).toList());
  }

  /** The name of the method. */
  public String name() {
    return method.getName();
  }

  /** Whether the method returns nothing. */
  public boolean isVoid() {
    return method.getReturnType() == void.class;
  }

  /** All types that a declaration of the method names. */
  public Stream<Type> types() {
    return Stream.of(Stream.of(returned), parameters.stream(), thrown.stream(), bounds.stream().flatMap(List::stream))
        .flatMap(each -> each);
  }

  /** Reports types that code of another package cannot name. */
  void checkTypes(String fromPackage, Place place, Problems problems) {
    types().flatMap(Types::classes).distinct().filter(each -> !Types.isAccessible(each, fromPackage))
        .forEach(each -> problems.add(place, "The method " + Types.signature(method) + " uses " + each.getName()
            + ", which is not public, and the generated class is in another package: " + fromPackage + "."));
  }

  /** Whether the other method has the same name and parameter types. */
  public boolean hasSignatureOf(Method other) {
    return method.getName().equals(other.getName()) && Arrays.equals(method.getParameterTypes(), other.getParameterTypes());
  }
}
