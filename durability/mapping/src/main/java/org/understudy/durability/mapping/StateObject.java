package org.understudy.durability.mapping;

import java.util.List;
import java.util.Optional;

/**
 * One state object of the service.
 *
 * @param place its element
 * @param name a Java identifier
 * @param interfaceName the interface by which the service uses it
 * @param className the class that implements it
 * @param mechanism what keeps it
 * @param instructions what the mechanism does with the object as a whole
 * @param methods rules for the methods of the interface
 */
public record StateObject(
    Place place, String name, String interfaceName, String className, Mechanism mechanism, Instructions instructions,
    List<MethodRule> methods) {

  /** Copies the list. */
  public StateObject {
    methods = List.copyOf(methods);
  }

  /**
   * Instructions of an object as a whole.
   *
   * @param tables statements that make the tables; empty unless the mechanism is {@link Mechanism#DATABASE}
   * @param queries how the object is loaded from the tables; empty unless the mechanism is {@link Mechanism#DATABASE}
   * @param initialization a call on each new object; empty if the mechanism is {@link Mechanism#DATABASE}
   * @param checkpoint the method of the class that returns its whole state as bytes
   * @param restore the method of the class that takes such bytes; present if and only if {@code checkpoint} is
   */
  public record Instructions(
      List<SqlStatement> tables,
      List<Query> queries,
      Optional<Call> initialization,
      Optional<String> checkpoint,
      Optional<String> restore) {

    /** Copies the lists. */
    public Instructions {
      tables = List.copyOf(tables);
      queries = List.copyOf(queries);
    }
  }
}
