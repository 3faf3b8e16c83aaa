package org.understudy.durability.mapping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes the model of a mapping from its elements. Incomplete parts are left out of the model and reported. */
final class RootReader {
  private final List<MappingProblem> problems;
  private final ElementChecks checks;

  RootReader(List<MappingProblem> problems) {
    this.problems = problems;
    this.checks = new ElementChecks(problems);
  }

  DurabilityMapping read(XmlElement root) {
    checks.attributes(root, List.of("service"), List.of("generated"));
    checks.children(root, List.of("fault", "operation", "object"));
    String service = checks.name(root, "service", true).orElse("");
    String generated = checks.name(root, "generated", true).orElseGet(() -> defaultName(service));
    if (!service.isEmpty() && generated.equals(service)) {
      checks.problem(root, "The generated class has the name of the service. Give it another one by the attribute generated.");
    }
    List<FaultRule> faults = new ArrayList<>();
    List<OperationRule> operations = new ArrayList<>();
    List<StateObject> objects = new ArrayList<>();
    Map<String, XmlElement> names = new HashMap<>();
    for (XmlElement child : root.children()) {
      switch (child.name()) {
        case "fault" -> fault(child, faults, names);
        case "operation" -> operation(child, operations, names);
        case "object" -> object(child, objects, names);
        default -> {
          // Reported above.
        }
      }
    }
    if (root.children().stream().noneMatch(child -> child.name().equals("object"))) {
      checks.problem(root, "The mapping has no object.");
    }
    return new DurabilityMapping(root.place(), service, generated, faults, operations, objects);
  }

  /** {@code shop.Orders} becomes {@code shop.DurableOrders}. */
  private static String defaultName(String service) {
    int dot = service.lastIndexOf('.');
    return service.substring(0, dot + 1) + "Durable" + service.substring(dot + 1);
  }

  private void fault(XmlElement element, List<FaultRule> faults, Map<String, XmlElement> names) {
    checks.attributes(element, List.of("class", "changes"), List.of());
    checks.empty(element);
    String changes = element.attributes().getOrDefault("changes", "keep");
    if (!List.of("keep", "undo").contains(changes)) {
      checks.problem(element, "The attribute changes is \"" + ElementChecks.shortened(changes) + "\". It is keep or undo.");
    }
    checks.name(element, "class", true).ifPresent(name -> {
      once(element, "fault " + name, names);
      faults.add(new FaultRule(element.place(), name, changes.equals("keep")));
    });
  }

  private void operation(XmlElement element, List<OperationRule> operations, Map<String, XmlElement> names) {
    checks.attributes(element, List.of("name", "kind"), List.of());
    checks.empty(element);
    String kind = element.attributes().getOrDefault("kind", "update");
    if (!List.of("read", "update").contains(kind)) {
      checks.problem(element, "The attribute kind is \"" + ElementChecks.shortened(kind) + "\". It is read or update.");
    }
    checks.name(element, "name", false).ifPresent(name -> {
      once(element, "operation " + name, names);
      operations.add(new OperationRule(element.place(), name, kind.equals("read")));
    });
  }

  private void object(XmlElement element, List<StateObject> objects, Map<String, XmlElement> names) {
    checks.attributes(element, List.of("name", "interface", "class"), List.of());
    checks.children(element, Mechanism.elements());
    String name = checks.name(element, "name", false).orElse("");
    String interfaceName = checks.name(element, "interface", true).orElse("");
    String className = checks.name(element, "class", true).orElse("");
    if (!name.isEmpty()) {
      once(element, "object " + name, names);
      names.forEach((other, first) -> {
        if (other.equalsIgnoreCase("object " + name) && !other.equals("object " + name)) {
          checks.problem(element, "The name differs only in case from that of the object in line " + first.place().line()
              + ", so both would have one generated class. Rename one of them.");
        }
      });
    }
    if (element.children().size() != 1) {
      checks.problem(
          element, "An object has exactly one of the elements " + String.join(", ", Mechanism.elements()) + "; this one has "
              + element.children().size() + ".");
      return;
    }
    XmlElement child = element.children().get(0);
    for (Mechanism mechanism : Mechanism.values()) {
      if (mechanism.element().equals(child.name())) {
        ObjectReader reader = new ObjectReader(problems, mechanism);
        reader.read(child);
        objects.add(new StateObject(
            element.place(), name, interfaceName, className, mechanism, reader.instructions(), reader.methods()));
      }
    }
  }

  private void once(XmlElement element, String name, Map<String, XmlElement> names) {
    XmlElement first = names.putIfAbsent(name, element);
    if (first != null) {
      checks.problem(element, "The mapping has two elements for the " + name + ". The other one is in line " + first.place().line() + ".");
    }
  }
}
