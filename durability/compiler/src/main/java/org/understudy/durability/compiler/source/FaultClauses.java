package org.understudy.durability.compiler.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.understudy.durability.compiler.classes.Operation;
import org.understudy.durability.compiler.classes.Types;

/**
 * The clauses by which an operation decides whether changes remain when it throws. A declared exception keeps them, any other undoes them,
 * and the rule of the mapping for the exception or its nearest superclass comes first.
 */
final class FaultClauses {
  /**
   * One clause.
   *
   * @param types none is a subclass of another one
   */
  record Clause(List<Class<?>> types, boolean keep) {}

  private FaultClauses() {}

  /** The clauses in their order: exceptions stand before their superclasses. What no clause catches undoes the changes. */
  static List<Clause> of(Operation operation, Map<Class<?>, Boolean> rules) {
    Map<Class<?>, Boolean> decisions = new LinkedHashMap<>();
    List<Class<?>> declared = operation.thrown().stream().<Class<?>>map(Types::raw).filter(Types::isChecked).toList();
    for (Class<?> exception : declared) {
      if (nearest(exception, rules) == null) {
        decisions.put(exception, true);
      }
    }
    rules.forEach((exception, keep) -> {
      // Java refuses to catch a checked exception that nothing declares.
      if (!Types.isChecked(exception) || exception.isAssignableFrom(RuntimeException.class)
          || declared.stream().anyMatch(each -> each.isAssignableFrom(exception) || exception.isAssignableFrom(each))) {
        decisions.put(exception, keep);
      }
    });
    for (Class<?> unchecked : List.<Class<?>>of(RuntimeException.class, Error.class)) {
      // A declared superclass does not make it a declared fault; a rule for the superclass does.
      Class<?> by = nearest(unchecked, decisions);
      if (by != null && by != unchecked && !rules.containsKey(by)) {
        decisions.put(unchecked, false);
      }
    }
    decisions.entrySet().removeIf(each -> isRedundant(each.getKey(), each.getValue(), decisions));
    return grouped(decisions);
  }

  /** The class itself or its nearest superclass among the keys; null: none. */
  private static Class<?> nearest(Class<?> exception, Map<Class<?>, Boolean> decisions) {
    for (Class<?> type = exception; type != null; type = type.getSuperclass()) {
      if (decisions.containsKey(type)) {
        return type;
      }
    }
    return null;
  }

  /** Undoing is what happens without a clause, unless a superclass has one. */
  private static boolean isRedundant(Class<?> exception, boolean keep, Map<Class<?>, Boolean> decisions) {
    Class<?> above = nearest(exception.getSuperclass(), decisions);
    return above == null ? !keep : decisions.get(above) == keep;
  }

  private static List<Clause> grouped(Map<Class<?>, Boolean> decisions) {
    List<Class<?>> open = new ArrayList<>(decisions.keySet());
    List<Clause> clauses = new ArrayList<>();
    while (!open.isEmpty()) {
      // Classes without open subclasses come next, with those first that undo.
      List<Class<?>> lowest = open.stream()
          .filter(each -> open.stream().noneMatch(other -> other != each && each.isAssignableFrom(other)))
          .toList();
      for (boolean keep : new boolean[] {false, true}) {
        List<Class<?>> types = lowest.stream().filter(each -> decisions.get(each) == keep).toList();
        if (!types.isEmpty()) {
          clauses.add(new Clause(types, keep));
        }
      }
      open.removeAll(lowest);
    }
    return clauses;
  }
}
