package org.understudy.replication.simulation.transaction;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The faults of a scenario that happen at named moments. A history from a seed has none. */
final class NamedFaults {
  /** What happens to a primary. */
  enum Kind {
    DEATH,
    /** Its own group hears nothing from it. */
    ISOLATION
  }

  /**
   * Once: what happens to the primary of a group, before or after its next step of this name.
   *
   * @param happens the fault
   */
  record Fault(Kind happens, int group, boolean before, TwoPhaseStep step) {}

  private final List<Fault> armed = new ArrayList<>();
  private final Set<String> lost = new TreeSet<>();
  private final Set<String> required = new TreeSet<>();
  private final Set<String> happened = new TreeSet<>();

  void arm(Fault fault) {
    armed.add(fault);
  }

  /** The faults whose moments have not come. */
  List<Fault> armed() {
    return armed;
  }

  /** Takes the fault of this moment; null for none. */
  Fault at(int group, boolean before, TwoPhaseStep step) {
    for (Iterator<Fault> each = armed.iterator(); each.hasNext(); ) {
      Fault fault = each.next();
      if (fault.group() == group && fault.before() == before && fault.step() == step) {
        each.remove();
        return fault;
      }
    }
    return null;
  }

  /**
   * Loses the messages of this name between the coordinator and a participant until {@link #loseNothing}.
   *
   * @param must whether the scenario expects that there is one
   */
  void lose(TwoPhaseStep message, int participant, boolean must) {
    lost.add(name(message, participant));
    if (must) {
      required.add(name(message, participant));
    }
  }

  private static String name(TwoPhaseStep message, int participant) {
    return message + " of group " + participant;
  }

  void loseNothing() {
    lost.clear();
  }

  boolean isLost(TwoPhaseStep message, int participant) {
    boolean here = lost.contains(name(message, participant));
    if (here) {
      happened.add(name(message, participant));
    }
    return here;
  }

  /** The messages that were to be lost, and of which none was. */
  List<String> neverLost() {
    return required.stream().filter(name -> !happened.contains(name)).toList();
  }
}
