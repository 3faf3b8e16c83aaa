package org.understudy.durability.compiler.classes;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.understudy.durability.mapping.DurabilityMapping;
import org.understudy.durability.mapping.FaultRule;
import org.understudy.durability.mapping.MappingException;
import org.understudy.durability.mapping.MappingProblem;
import org.understudy.durability.mapping.OperationRule;
import org.understudy.durability.mapping.StateObject;
import org.understudy.soap.xml.NameSuggestion;

/** Finds the classes of a mapping and checks that the mapping fits them. */
public final class ServiceResolver {
  private static final String API = "org.understudy.replication.api.";
  private static final String HOME = API + "ResourceHome";
  private static final String READ = API + "Read";
  private static final String PROPERTY = API + "property.ResourceProperty";
  private static final List<String> SERVICE_MARKS = List.of("jakarta.jws.WebService", "jakarta.xml.ws.WebServiceProvider");
  private static final List<String> LIFECYCLE = List.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");
  /** Annotations of fields and methods by which a container would inject something. */
  private static final Set<String> INJECTION = Set.of(
      "jakarta.annotation.Resource", "jakarta.inject.Inject", "jakarta.ejb.EJB", "jakarta.persistence.PersistenceContext",
      "jakarta.xml.ws.WebServiceRef", "org.springframework.beans.factory.annotation.Autowired",
      "org.springframework.beans.factory.annotation.Value");

  private final DurabilityMapping mapping;
  private final ClassPath classPath;
  private final Problems problems;

  private ServiceResolver(DurabilityMapping mapping, ClassPath classPath, Problems problems) {
    this.mapping = mapping;
    this.classPath = classPath;
    this.problems = problems;
  }

  /**
   * Finds the classes.
   *
   * @param problems collects what does not fit; more may be added before they are checked
   * @throws MappingException when a problem leaves nothing to go on with
   */
  public static ServiceClasses resolve(DurabilityMapping mapping, ClassPath classPath, Problems problems) throws MappingException {
    return new ServiceResolver(mapping, classPath, problems).resolve();
  }

  private ServiceClasses resolve() throws MappingException {
    Class<?> service = service();
    ObjectResolver resolver = new ObjectResolver(classPath, generatedPackage(), problems);
    List<ObjectClasses> objects = new ArrayList<>();
    for (StateObject object : mapping.objects()) {
      resolver.resolve(object).ifPresent(objects::add);
    }
    if (objects.size() < mapping.objects().size()) {
      problems.check();
    }
    checkForm(service);
    checkGenerated();
    List<Optional<ObjectClasses>> arguments = arguments(service, objects);
    List<Operation> operations = operations(service);
    List<Operation> reads = reads(service, operations);
    List<Operation> unbracketed = operations.stream()
        .filter(each -> reads.contains(each) || LIFECYCLE.stream().anyMatch(mark -> Types.annotation(each.method(), mark).isPresent()))
        .toList();
    return new ServiceClasses(mapping, service, arguments, objects, operations, reads, unbracketed, faults());
  }

  private String generatedPackage() {
    return mapping.generated().substring(0, Math.max(0, mapping.generated().lastIndexOf('.')));
  }

  private Class<?> service() throws MappingException {
    Optional<Class<?>> found;
    try {
      found = classPath.find(mapping.service());
    } catch (LinkageError e) {
      throw new MappingException(List.of(new MappingProblem(mapping.place(), "The service " + mapping.service() + " cannot be loaded: " + e
          + ". Add what is missing to the class path, or run the compiler on the version of Java that the service needs.")));
    }
    if (found.isEmpty()) {
      problems.add(mapping.place(), "The service " + mapping.service()
          + " is not on the class path. Compile it first, and give its directory or jar.");
    }
    problems.check();
    return found.orElseThrow();
  }

  private void checkForm(Class<?> service) {
    if (SERVICE_MARKS.stream().noneMatch(mark -> Types.annotation(service, mark).isPresent())) {
      problems.add(mapping.place(), service.getName() + " is marked neither @WebService nor @WebServiceProvider, or jakarta.xml.ws-api"
          + " is not on the class path.");
    }
    if (Modifier.isAbstract(service.getModifiers()) || !Types.isAccessible(service, generatedPackage())) {
      problems.add(mapping.place(), service.getName() + " is abstract or not public.");
    }
    if (isA(service, API + "StateCapture") || Types.annotation(service, API + "ReplicatedState").isPresent()
        || Types.annotation(service, API + "ResourceState").isPresent()) {
      problems.add(mapping.place(), service.getName() + " declares a state of its own. A service with a durability mapping keeps all state"
          + " in its state objects. Remove StateCapture, @ReplicatedState or @ResourceState.");
    }
    for (Class<?> type = service; type != null && type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (Types.annotation(field, API + "ReplicatedState").isPresent()) {
          problems.add(mapping.place(), "The field " + field.getName() + " of " + type.getName() + " is marked @ReplicatedState. A service"
              + " with a durability mapping keeps all state in its state objects.");
        }
        if (Arrays.stream(field.getAnnotations()).anyMatch(each -> INJECTION.contains(each.annotationType().getName()))) {
          problems.add(mapping.place(), "The field " + field.getName() + " of " + type.getName() + " is injected. The generated class makes"
              + " the service by its constructor, and no container injects anything into it.");
        }
      }
      for (Method method : type.getDeclaredMethods()) {
        checkCalls(type, method);
      }
    }
  }

  /** In the service's module, the generated classes are compiled into its classes. */
  private void checkGenerated() {
    List<String> names = new ArrayList<>(List.of(mapping.generated()));
    mapping.objects().forEach(each -> names.add(GeneratedNames.proxy(mapping.generated(), each.name())));
    for (String name : names) {
      try {
        boolean generated = classPath.find(name).map(each -> isGenerated(each)).orElse(true);
        if (!generated) {
          problems.add(mapping.place(), "The class " + name + " exists and was not generated. Choose another name by the attribute"
              + " generated.");
        }
      } catch (LinkageError e) {
        // A generated class of an earlier build, without the module of its superclass on this class path.
      }
    }
  }

  private static boolean isGenerated(Class<?> type) {
    return type.getSuperclass() != null && type.getSuperclass().getName().startsWith("org.understudy.durability.proxy.");
  }

  /** Refuses methods that a container would call on the service, but not on the generated class. */
  private void checkCalls(Class<?> type, Method method) {
    if (Arrays.stream(method.getAnnotations()).anyMatch(each -> INJECTION.contains(each.annotationType().getName()))) {
      problems.add(mapping.place(), "The method " + Types.signature(method) + " of " + type.getName() + " injects something. The generated"
          + " class makes the service by its constructor, and no container injects anything into it.");
    }
    Optional<String> mark = LIFECYCLE.stream().filter(each -> Types.annotation(method, each).isPresent()).findFirst();
    if (mark.isPresent() && !Modifier.isPublic(method.getModifiers())) {
      problems.add(mapping.place(), "The method " + Types.signature(method) + " of " + type.getName() + " is marked @"
          + mark.get().substring(mark.get().lastIndexOf('.') + 1) + " and is not public, so the generated class cannot call it. Make it"
          + " public.");
    }
  }

  private static boolean isA(Class<?> type, String name) {
    return type != null && (type.getName().equals(name) || isA(type.getSuperclass(), name)
        || Arrays.stream(type.getInterfaces()).anyMatch(each -> isA(each, name)));
  }

  /** The longest public constructor that takes each state object once, and at most one home. */
  private List<Optional<ObjectClasses>> arguments(Class<?> service, List<ObjectClasses> objects) {
    List<Optional<ObjectClasses>> best = null;
    for (Constructor<?> constructor : service.getConstructors()) {
      List<Optional<ObjectClasses>> arguments = arguments(constructor, objects);
      if (arguments != null && (best == null || arguments.size() > best.size())) {
        best = arguments;
        if (Types.checked(constructor).isPresent()) {
          problems.add(mapping.place(), "The constructor of " + service.getName() + " declares a checked exception. Let it throw none.");
        }
      }
    }
    if (best == null) {
      problems.add(mapping.place(), service.getName() + " has no public constructor that takes the state objects by their interfaces, for"
          + " example " + service.getSimpleName() + "("
          + String.join(", ", objects.stream().map(each -> each.type().getSimpleName() + " " + each.object().name()).toList())
          + "). A ResourceHome may be a further parameter.");
      return List.of();
    }
    return best;
  }

  private static List<Optional<ObjectClasses>> arguments(Constructor<?> constructor, List<ObjectClasses> objects) {
    List<ObjectClasses> left = new ArrayList<>(objects);
    List<Optional<ObjectClasses>> arguments = new ArrayList<>();
    for (Parameter parameter : constructor.getParameters()) {
      if (parameter.getType().getName().equals(HOME)) {
        if (arguments.contains(Optional.<ObjectClasses>empty())) {
          return null;
        }
        arguments.add(Optional.empty());
        continue;
      }
      // Among objects with one interface the name decides, or the order of the mapping.
      Stream<ObjectClasses> candidates = left.stream().filter(each -> each.type() == parameter.getType());
      Optional<ObjectClasses> found =
          candidates.min(Comparator.comparing(each -> !each.object().name().equals(parameter.getName())));
      if (found.isEmpty()) {
        return null;
      }
      left.remove(found.get());
      arguments.add(found);
    }
    return left.isEmpty() ? arguments : null;
  }

  private List<Operation> operations(Class<?> service) {
    List<Method> methods = Types.methods(service).stream()
        .filter(method -> method.getDeclaringClass() != Object.class)
        .sorted(Comparator.comparing(Method::getName).thenComparing(method -> Arrays.toString(method.getParameterTypes())))
        .toList();
    for (Method method : methods) {
      if (ReservedNames.isOfServices(method)) {
        problems.add(mapping.place(), "The method " + Types.signature(method) + " of " + mapping.service()
            + " has the name of a method of the generated class. Rename it.");
      }
      if (Types.annotation(method, "org.apache.cxf.annotations.UseAsyncMethod").isPresent()) {
        problems.add(mapping.place(), "The operation " + method.getName() + " is marked @UseAsyncMethod. An operation that uses state"
            + " objects ends when its method returns.");
      }
    }
    List<Operation> operations = methods.stream().map(method -> Operation.of(service, method)).toList();
    operations.forEach(each -> each.checkTypes(generatedPackage(), mapping.place(), problems));
    return operations;
  }

  private List<Operation> reads(Class<?> service, List<Operation> operations) {
    Set<String> names = operations.stream().map(Operation::name).collect(Collectors.toSet());
    for (OperationRule rule : mapping.operations()) {
      if (!names.contains(rule.name())) {
        problems.add(rule.place(), service.getSimpleName() + " has no operation " + rule.name()
            + NameSuggestion.of(rule.name(), names));
      }
    }
    List<Operation> reads = new ArrayList<>();
    for (Operation operation : operations) {
      boolean marked = Types.annotation(operation.method(), READ).isPresent();
      Optional<OperationRule> rule = mapping.operations().stream().filter(each -> each.name().equals(operation.name())).findFirst();
      if (marked && rule.isPresent() && !rule.get().read()) {
        problems.add(rule.get().place(), "The operation is marked @Read in " + service.getName() + ". Remove the mark or this element.");
      }
      if (marked || rule.isPresent() && rule.get().read() || Types.annotation(operation.method(), PROPERTY).isPresent()) {
        reads.add(operation);
      }
    }
    return reads;
  }

  private Map<Class<?>, Boolean> faults() {
    Map<Class<?>, Boolean> faults = new LinkedHashMap<>();
    for (FaultRule rule : mapping.faults()) {
      Optional<Class<?>> type = classPath.find(rule.className());
      if (type.isEmpty() || !Throwable.class.isAssignableFrom(type.get())) {
        problems.add(rule.place(), type.isEmpty()
            ? "The exception " + rule.className() + " is not on the class path."
            : rule.className() + " is not an exception.");
      } else {
        faults.put(type.get(), rule.keepsChanges());
      }
    }
    return faults;
  }
}
