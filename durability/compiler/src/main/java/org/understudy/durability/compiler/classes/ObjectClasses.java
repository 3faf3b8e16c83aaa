package org.understudy.durability.compiler.classes;

import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import org.understudy.durability.mapping.MethodRule;
import org.understudy.durability.mapping.StateObject;

/**
 * A state object with its classes.
 *
 * @param object of the mapping
 * @param type the interface
 * @param implementation the class
 * @param constructor public, without parameters
 * @param methods all instance methods of the interface in the order of the mapping, each with its rule
 */
public record ObjectClasses(
    StateObject object, Class<?> type, Class<?> implementation, Constructor<?> constructor, Map<Operation, MethodRule> methods) {

  /** The methods of the interface. */
  public List<Operation> operations() {
    return List.copyOf(methods.keySet());
  }
}
