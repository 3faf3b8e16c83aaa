package org.understudy.replication.simulation.transaction;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The faults of a scenario that happen at named moments. A history from a seed has none. */
final class NamedFaults {
  /** What happens to a primary. */
  enum Kind {
    DEATH,
    /** All replicas of its group die, and lose their memory. */
    OBLIVION,
    /** Its own group hears nothing from it. */
    ISOLATION,
    /** It stands still until the others have another primary, and a little longer. */
    PAUSE,
    /** The database of its group stops, and is back a little later. */
    RESTART
  }

  /**
   * Once: what happens to the primary of a group, before or after its next step of this name.
   *
   * @param happens the fault
   */
  record Fault(Kind happens, int group, boolean before, TwoPhaseStep step) {}

  private final List<Fault> armed = new ArrayList<>();
  /** Nanoseconds by step: once, it is so late at a group: an answer of its database, an entry in its log, or a message to or from it. */
  private final Map<String, Long> late = new TreeMap<>();
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

  /** Once, the answer of the database to this step is late, the log takes this entry late, or this message arrives late. */
  void delay(int group, TwoPhaseStep step, long nanos) {
    late.put(name(step, group), nanos);
  }

  /** Takes the delay of an answer, entry or message; 0 for none. */
  long delayed(int group, TwoPhaseStep step) {
    Long nanos = late.remove(name(step, group));
    return nanos == null ? 0 : nanos;
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
