package org.understudy.state;

import java.util.Set;

/**
 * What a deployment permits of captured states.
 *
 * @param serializable names of the classes that may be captured by Java serialization, exactly; each class in such an
 *     object's graph and each serializable superclass must be listed
 * @param bytes maximum size of one captured state
 */
public record StateRules(Set<String> serializable, int bytes) {
  /** No Java serialization; 32 MiB, which no configuration of a replica exceeds. */
  public static final StateRules DEFAULTS = new StateRules(Set.of(), 32 << 20);

  public StateRules {
    serializable = Set.copyOf(serializable);
  }
}
