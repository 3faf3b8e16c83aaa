package org.understudy.durability.mapping;

import java.util.List;

/**
 * The durability mapping of one service. Names of classes are not resolved.
 *
 * @param place the root element
 * @param service the name of the unmodified service's class
 * @param generated the name of the class to generate
 * @param faults rules for exceptions that differ from the default; each class once
 * @param operations operations of the service that the mapping declares; each name once
 * @param objects at least one; each name once
 */
public record DurabilityMapping(
    Place place, String service, String generated, List<FaultRule> faults, List<OperationRule> operations, List<StateObject> objects) {

  /** Copies the lists. */
  public DurabilityMapping {
    faults = List.copyOf(faults);
    operations = List.copyOf(operations);
    objects = List.copyOf(objects);
  }
}
