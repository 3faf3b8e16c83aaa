package org.understudy.lab.torture.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One fault of a plan.
 *
 * @param kind what is done
 * @param order all replicas in random order; those it concerns come first
 * @param primaryFirst whether the primary at that time changes places with the first
 * @param size how many of them a split cuts off
 * @param parameter of the kind: ms of a phase of a flap, rotation or storm, percent of lost packets, kilobits a second, ms
 *     of delay, replicas that lose power
 * @param length how long it lasts
 * @param quiet how long the group is left alone afterwards, once it is whole
 */
public record Fault(
    FaultKind kind, List<Integer> order, boolean primaryFirst, int size, int parameter, Duration length, Duration quiet) {

  public Fault {
    order = List.copyOf(order);
  }

  /** The order for the primary at this time. */
  List<Integer> order(int primary) {
    List<Integer> now = new ArrayList<>(order);
    if (primaryFirst) {
      Collections.swap(now, 0, now.indexOf(primary));
    }
    return now;
  }

  /** The first of the replicas that it concerns when this one is the primary. */
  public int first(int primary) {
    return order(primary).get(0);
  }

  /** For people, with the primary by its role. */
  public String describe() {
    return describe(order.stream().map(n -> Integer.toString(n)).collect(Collectors.toList()), primaryFirst);
  }

  /** For people, with the replicas that it concerns when this one is the primary. */
  String describe(int primary) {
    return describe(order(primary).stream().map(n -> Integer.toString(n)).collect(Collectors.toList()), false);
  }

  private String describe(List<String> names, boolean role) {
    if (role) {
      names.set(0, "primary");
    }
    String first = names.get(0);
    String what = switch (kind) {
      case SPLIT -> "split " + String.join(",", names.subList(0, size)) + " from the others";
      case SCATTER -> "split all replicas from each other";
      case MUTE -> first + " is not heard by the others";
      case DEAF -> first + " does not hear the others";
      case ONE_WAY -> names.get(1) + " does not hear " + first;
      case BRIDGE -> "only " + first + " reaches both " + String.join(",", names.subList(1, half(names.size()))) + " and "
          + String.join(",", names.subList(half(names.size()), names.size()));
      case FLAP -> "split " + String.join(",", names.subList(0, size)) + " from the others every " + parameter + " ms";
      case PAUSE -> "SIGSTOP " + first;
      case KILL -> "SIGKILL " + first;
      case KILL_CUT_OFF -> "split " + first + " from the others and SIGKILL it";
      case ZOMBIE -> "SIGSTOP " + first + ", split it from the others and SIGCONT it";
      case FREEZE -> "SIGSTOP all replicas";
      case ROTATE -> "split one replica after another from the others, each for " + parameter + " ms";
      case STORM -> "cut random links and SIGSTOP random replicas, others every " + parameter + " ms,";
      case KILL_IN_STORM -> "SIGKILL " + first + ", cut random links and SIGSTOP random replicas, others every " + parameter + " ms,";
      case SLOW -> first + " sends and receives " + parameter + " kbit/s";
      case DELAY -> "what " + first + " and the others or clients send takes up to " + 3 * parameter + " ms longer";
      case KILL_ALL -> "SIGKILL all replicas";
      case POWER_LOSS -> "power loss at " + (parameter == 1 ? first : "all replicas");
      case KILL_DATABASE -> "SIGKILL the database server";
      case PAUSE_DATABASE -> "SIGSTOP the database server";
      case KILL_BOTH -> "SIGKILL " + first + " and the database server";
      case KILL_UNDER_ZOMBIE -> "SIGSTOP " + first + ", and SIGKILL the database server";
      case CUT_DATABASE -> "split " + first + " from the database server";
      case LOSS -> first + " and the others lose " + parameter + " % of their packets";
    };
    return String.format("%-13s %s for %.1f s", kind.word(), what, length.toMillis() / 1e3);
  }

  /** In a bridge, where the second half begins; the bridge is the first. */
  static int half(int replicas) {
    return 1 + replicas / 2;
  }
}
