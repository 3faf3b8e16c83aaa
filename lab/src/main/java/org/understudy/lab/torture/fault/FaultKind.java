package org.understudy.lab.torture.fault;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The kinds of faults. Each lasts for a while and is then undone. */
public enum FaultKind {
  /** No packet passes between some replicas and the others. */
  SPLIT("split"),
  /** No two replicas reach each other. */
  SCATTER("scatter"),
  /** One replica is not heard by the others, which it hears. */
  MUTE("mute"),
  /** One replica does not hear the others, which hear it. */
  DEAF("deaf"),
  /** One direction between two replicas. */
  ONE_WAY("one-way"),
  /** Two halves of the group that do not reach each other, and one replica that reaches both. */
  BRIDGE("bridge"),
  /** A split that comes and goes. */
  FLAP("flap"),
  /** SIGSTOP and SIGCONT. */
  PAUSE("pause"),
  /** SIGKILL and a new process. */
  KILL("kill"),
  /** SIGKILL of a replica that is cut off, and a new process that is cut off too. */
  KILL_CUT_OFF("kill-cut-off"),
  /** SIGSTOP of a replica that is then cut off, and SIGCONT before the cut ends. */
  ZOMBIE("zombie"),
  /** SIGSTOP of all replicas at once, and SIGCONT one after another. */
  FREEZE("freeze"),
  /** A split that moves from replica to replica, with no time to heal between. */
  ROTATE("rotate"),
  /** Any links cut and any replicas stopped, changed every moment. */
  STORM("storm"),
  /** The same, and one replica is killed and started in it. */
  KILL_IN_STORM("kill-in-storm"),
  /** A limit on a replica's connection. */
  SLOW("slow"),
  /** A share of the packets is lost. */
  LOSS("loss"),
  /** The TCP streams of one replica, with the others and with clients, take longer. */
  DELAY("delay"),
  /** SIGKILL of all replicas, and of the database server if there is one, and new processes. */
  KILL_ALL("kill-all"),
  /** SIGKILL of one replica or of all, and new processes that find zeros or garbage behind the last record of their journals. */
  POWER_LOSS("power-loss"),
  /** SIGKILL of the database server, and a new process with its files. */
  KILL_DATABASE("kill-database"),
  /** SIGSTOP and SIGCONT of the database server. */
  PAUSE_DATABASE("pause-database"),
  /** SIGKILL of a replica and of the database server, and new processes. */
  KILL_BOTH("kill-both"),
  /** SIGSTOP of a replica; the database server gets a new process before SIGCONT. */
  KILL_UNDER_ZOMBIE("kill-under-zombie"),
  /** No packet passes between one replica and the database server. */
  CUT_DATABASE("cut-database");

  /** Those of a database server. */
  public static final Set<FaultKind> OF_DATABASE =
      Collections.unmodifiableSet(EnumSet.of(KILL_DATABASE, PAUSE_DATABASE, KILL_BOTH, KILL_UNDER_ZOMBIE, CUT_DATABASE));
  /** Those of processes alone, which need no network of their own. */
  public static final Set<FaultKind> OF_PROCESSES = Collections.unmodifiableSet(
      EnumSet.of(PAUSE, KILL, FREEZE, KILL_ALL, POWER_LOSS, KILL_DATABASE, PAUSE_DATABASE, KILL_BOTH, KILL_UNDER_ZOMBIE));
  /** Those after which all replicas can be new processes. */
  public static final Set<FaultKind> OF_ALL_REPLICAS = Collections.unmodifiableSet(EnumSet.of(KILL_ALL, POWER_LOSS));
  /** Those that every group survives. */
  public static final Set<FaultKind> USUAL = usual();

  private final String word;

  FaultKind(String word) {
    this.word = word;
  }

  private static Set<FaultKind> usual() {
    EnumSet<FaultKind> kinds = EnumSet.complementOf(EnumSet.copyOf(OF_ALL_REPLICAS));
    kinds.removeAll(OF_DATABASE);
    return Collections.unmodifiableSet(kinds);
  }

  /** The name in output. */
  public String word() {
    return word;
  }
}
