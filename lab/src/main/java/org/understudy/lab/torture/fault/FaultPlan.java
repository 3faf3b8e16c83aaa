package org.understudy.lab.torture.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The faults of a run, one after another. A function of its arguments. */
public final class FaultPlan {
  private static final int MIN_PAUSE_MS = 500;
  private static final int MAX_PAUSE_MS = 30_000;
  private static final int MIN_FAULT_MS = 2_000;
  private static final int MAX_FAULT_MS = 12_000;
  private static final int MIN_QUIET_MS = 1_000;
  private static final int MAX_QUIET_MS = 3_000;
  /** About as long as a group takes after a fault until it is whole, or a new process until it serves. */
  private static final int RECOVERY_MS = 2_000;
  private static final int RESTART_MS = 8_000;

  private FaultPlan() {}

  /**
   * Every kind once in random order, then again, as long as there is time. There is one fault at least.
   *
   * @param replicas three at least
   * @param time for all faults and the quiet after them
   * @param only kinds to choose from; {@link FaultKind#USUAL} if it is empty
   */
  public static List<Fault> of(long seed, int replicas, Duration time, List<FaultKind> only) {
    Random random = new Random(seed);
    List<Fault> plan = new ArrayList<>();
    List<FaultKind> kinds = new ArrayList<>();
    long left = time.toMillis();
    while (true) {
      if (kinds.isEmpty()) {
        kinds.addAll(only.isEmpty() ? FaultKind.USUAL : only);
        Collections.shuffle(kinds, random);
      }
      Fault fault = fault(kinds.remove(0), replicas, random);
      left -= fault.length().plus(fault.quiet()).toMillis() + recoveryMillis(fault.kind());
      if (left < 0 && !plan.isEmpty()) {
        return plan;
      }
      plan.add(fault);
    }
  }

  private static int recoveryMillis(FaultKind kind) {
    return switch (kind) {
      case KILL, KILL_CUT_OFF, KILL_IN_STORM, KILL_ALL, POWER_LOSS, KILL_BOTH -> RESTART_MS;
      default -> RECOVERY_MS;
    };
  }

  private static Fault fault(FaultKind kind, int replicas, Random random) {
    List<Integer> order = IntStream.rangeClosed(1, replicas).boxed().collect(Collectors.toList());
    Collections.shuffle(order, random);
    boolean primaryFirst = random.nextInt(3) > 0;
    int size = 1 + random.nextInt(Math.max(1, (replicas - 1) / 2));
    int parameter = switch (kind) {
      case FLAP, ROTATE, STORM, KILL_IN_STORM -> 100 + random.nextInt(1_400);
      case SLOW -> 64 << random.nextInt(5);
      case LOSS -> 5 + random.nextInt(36);
      case DELAY -> 2 << random.nextInt(8);
      case POWER_LOSS -> random.nextInt(3) == 0 ? 1 : replicas;
      default -> 0;
    };
    int length = kind == FaultKind.PAUSE ? geometric(random, MIN_PAUSE_MS, MAX_PAUSE_MS) : geometric(random, MIN_FAULT_MS, MAX_FAULT_MS);
    int quiet = MIN_QUIET_MS + random.nextInt(MAX_QUIET_MS - MIN_QUIET_MS);
    return new Fault(kind, order, primaryFirst, size, parameter, Duration.ofMillis(length), Duration.ofMillis(quiet));
  }

  /** As many short ones as long ones, by factors. */
  private static int geometric(Random random, int from, int to) {
    return (int) Math.round(from * Math.pow((double) to / from, random.nextDouble()));
  }
}
