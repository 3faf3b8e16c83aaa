package org.understudy.durability.compiler.classes;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.understudy.durability.mapping.MethodRule;
import org.understudy.durability.mapping.Place;
import org.understudy.durability.mapping.StateObject;
import org.understudy.soap.xml.NameSuggestion;

/** Finds the classes of a state object, and the method of each rule. */
final class ObjectResolver {
  private final ClassPath classPath;
  private final String generatedPackage;
  private final Problems problems;

  ObjectResolver(ClassPath classPath, String generatedPackage, Problems problems) {
    this.classPath = classPath;
    this.generatedPackage = generatedPackage;
    this.problems = problems;
  }

  /** Returns the classes, or nothing and a problem. */
  Optional<ObjectClasses> resolve(StateObject object) {
    Optional<Class<?>> type = find(object.place(), "interface", object.interfaceName());
    Optional<Class<?>> implementation = find(object.place(), "class", object.className());
    if (type.isEmpty() || implementation.isEmpty()) {
      return Optional.empty();
    }
    if (!type.get().isInterface()) {
      problems.add(object.place(), type.get().getName() + " is not an interface. A service uses a state object by an interface.");
      return Optional.empty();
    }
    if (type.get().isSealed()) {
      problems.add(object.place(), type.get().getName() + " is sealed, so no proxy can implement it. Remove sealed and permits.");
      return Optional.empty();
    }
    if (type.get().getTypeParameters().length > 0) {
      problems.add(object.place(), type.get().getName() + " has type parameters. Name an interface that extends it without them.");
      return Optional.empty();
    }
    Map<Operation, MethodRule> methods = methods(object, type.get());
    return constructor(object.place(), type.get(), implementation.get())
        .map(constructor -> new ObjectClasses(object, type.get(), implementation.get(), constructor, methods));
  }

  private Optional<Class<?>> find(Place place, String attribute, String name) {
    try {
      Optional<Class<?>> found = classPath.find(name);
      if (found.isEmpty()) {
        problems.add(
            place, "The " + attribute + " " + name + " is not on the class path. Compile it first, and give its directory or jar.");
      } else if (!Types.isAccessible(found.get(), generatedPackage)) {
        problems.add(place, "The " + attribute + " " + name + " is not public, and the generated class is in another package: "
            + generatedPackage + ".");
        return Optional.empty();
      }
      return found;
    } catch (LinkageError e) {
      problems.add(place, "The " + attribute + " " + name + " cannot be loaded: " + e + ". Add what is missing to the class path, or"
          + " run the compiler on the version of Java that it needs.");
      return Optional.empty();
    }
  }

  private Optional<Constructor<?>> constructor(Place place, Class<?> type, Class<?> implementation) {
    if (!type.isAssignableFrom(implementation)) {
      problems.add(place, implementation.getName() + " does not implement " + type.getName() + ".");
      return Optional.empty();
    }
    if (Modifier.isAbstract(implementation.getModifiers())
        || implementation.isMemberClass() && !Modifier.isStatic(implementation.getModifiers())) {
      problems.add(place, implementation.getName() + " is abstract or an inner class, so no object can be made. Name another class.");
      return Optional.empty();
    }
    Optional<Constructor<?>> found =
        Arrays.stream(implementation.getConstructors()).filter(each -> each.getParameterCount() == 0).findFirst();
    if (found.isEmpty()) {
      problems.add(place, implementation.getName()
          + " has no public constructor without parameters. Replicas make empty objects by it; add one.");
    } else if (Types.checked(found.get()).isPresent()) {
      problems.add(place, "The constructor of " + implementation.getName() + " declares a checked exception. Let it throw none.");
      return Optional.empty();
    }
    return found;
  }

  private Map<Operation, MethodRule> methods(StateObject object, Class<?> type) {
    List<Method> all = instanceMethods(type);
    Map<Operation, MethodRule> rules = new LinkedHashMap<>();
    for (MethodRule rule : object.methods()) {
      method(rule, type, all).ifPresent(method -> {
        Operation operation = Operation.of(type, method);
        Optional<MethodRule> first = rules.entrySet().stream()
            .filter(entry -> entry.getKey().hasSignatureOf(method)).map(Map.Entry::getValue).findFirst();
        if (first.isPresent()) {
          problems.add(rule.place(), "The method " + Types.signature(method) + " is listed twice. The other one is in line "
              + first.get().place().line() + ".");
        } else {
          operation.checkTypes(generatedPackage, rule.place(), problems);
          rules.put(operation, rule);
        }
      });
    }
    for (Method method : all) {
      if (rules.keySet().stream().noneMatch(each -> each.hasSignatureOf(method))) {
        problems.add(object.place(), "The method " + Types.signature(method) + " of " + type.getSimpleName()
            + " is not listed. List it as <read> if it changes nothing, else as <update>.");
      }
      if (ReservedNames.isOfProxies(method)) {
        problems.add(object.place(), "The method " + Types.signature(method) + " of " + type.getSimpleName()
            + " has the name of a method of durability proxies. Rename it.");
      }
    }
    return rules;
  }

  /** The instance methods with different parameters, in the order of their names. */
  private static List<Method> instanceMethods(Class<?> type) {
    Map<String, Method> methods = Arrays.stream(type.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
        .collect(Collectors.toMap(
            method -> method.getName() + Arrays.toString(method.getParameterTypes()),
            method -> method,
            (one, other) -> one.getReturnType().isAssignableFrom(other.getReturnType()) ? other : one));
    return methods.values().stream().sorted(Comparator.comparing(Method::toString)).toList();
  }

  private Optional<Method> method(MethodRule rule, Class<?> type, List<Method> all) {
    List<Method> named = all.stream().filter(method -> method.getName().equals(rule.method())).toList();
    if (named.isEmpty()) {
      TreeSet<String> names = all.stream().map(Method::getName).collect(Collectors.toCollection(TreeSet::new));
      problems.add(
          rule.place(), type.getSimpleName() + " has no method " + rule.method() + NameSuggestion.of(rule.method(), names));
      return Optional.empty();
    }
    List<Method> matching = new ArrayList<>(named);
    rule.parameters().ifPresent(types -> matching.removeIf(method -> !matches(method, types)));
    if (matching.size() == 1) {
      return Optional.of(matching.get(0));
    }
    String overloads = named.stream().map(Types::signature).collect(Collectors.joining(", "));
    problems.add(rule.place(), matching.isEmpty()
        ? "No method has these parameters. There are: " + overloads + "."
        : "Several methods have this name: " + overloads + ". Add the attribute parameters, for example parameters=\""
            + Arrays.stream(named.get(0).getParameterTypes()).map(Class::getSimpleName).collect(Collectors.joining(", ")) + "\".");
    return Optional.empty();
  }

  /** Simple and full names match. */
  private static boolean matches(Method method, List<String> types) {
    Class<?>[] parameters = method.getParameterTypes();
    if (parameters.length != types.size()) {
      return false;
    }
    for (int i = 0; i < parameters.length; i++) {
      String given = types.get(i).replace("...", "[]");
      if (!given.equals(parameters[i].getSimpleName()) && !given.equals(parameters[i].getTypeName())
          && !given.equals(parameters[i].getCanonicalName())) {
        return false;
      }
    }
    return true;
  }
}
