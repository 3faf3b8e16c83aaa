package org.understudy.state;

import java.util.Set;

/**
 * The limits of a deployment for captured states.
 *
 * @param serializable names of the classes that may be captured by Java serialization, exactly; each class in such an
 *     object's graph and each serializable superclass must be listed
 * @param bytes maximum size of one captured state
 */
public record StateRules(Set<String> serializable, int bytes) {
  /** No Java serialization, and 32 MiB, the largest limit that a replica can configure. */
  public static final StateRules DEFAULTS = new StateRules(Set.of(), 32 << 20);

  public StateRules {
    serializable = Set.copyOf(serializable);
  }
}
