package org.understudy.durability.compiler.classes;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.understudy.durability.mapping.DurabilityMapping;

/**
 * A service with its classes.
 *
 * @param mapping of the service
 * @param service the unmodified class
 * @param arguments of its constructor: each a state object; empty for its {@code ResourceHome}
 * @param objects in the order of the mapping
 * @param operations public methods in the order of their names
 * @param reads those of them that change nothing
 * @param unbracketed those of them that the container calls outside of requests, and those that change nothing
 * @param faults what happens to changes, by class of exception: true keeps them
 */
public record ServiceClasses(
    DurabilityMapping mapping,
    Class<?> service,
    List<Optional<ObjectClasses>> arguments,
    List<ObjectClasses> objects,
    List<Operation> operations,
    List<Operation> reads,
    List<Operation> unbracketed,
    Map<Class<?>, Boolean> faults) {

  /** The package of the generated classes. */
  public String generatedPackage() {
    int dot = mapping.generated().lastIndexOf('.');
    return dot < 0 ? "" : mapping.generated().substring(0, dot);
  }

  /** The simple name of the generated service. */
  public String generatedName() {
    return mapping.generated().substring(mapping.generated().lastIndexOf('.') + 1);
  }
}
