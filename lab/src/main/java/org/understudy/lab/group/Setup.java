package org.understudy.lab.group;

import java.util.ArrayList;
import java.util.List;

/** What is compared, each a group of its own. */
enum Setup {
  NONE("none", 1, "log", false, false),
  NONE_TUNED("none, tuned", 1, "log", false, true),
  /** Every client at one replica, which does all work of HTTP and SOAP (Fig. 7b). */
  ONE_ENTRY("group, one entry", 3, "log", false, false),
  BALANCED("group, balanced", 3, "log", true, false),
  BALANCED_TUNED("group, balanced, tuned", 3, "log", true, true),
  JGROUPS("group over JGroups", 3, "jgroups", false, false),
  SPREAD("group over Spread", 3, "spread", false, false);

  /** Those of Figures 7 and 8. */
  static final List<Setup> OF_FIGURES = List.of(NONE, NONE_TUNED, ONE_ENTRY, BALANCED, BALANCED_TUNED);

  /** Requests in progress from which on a replica redirects clients. */
  private static final int THRESHOLD = 4;
  /** Instead of Tomcat's 200. */
  private static final int TUNED_THREADS = 8;

  private final String label;
  private final int replicas;
  private final String channel;
  private final boolean balanced;
  private final boolean tuned;

  Setup(String label, int replicas, String channel, boolean balanced, boolean tuned) {
    this.label = label;
    this.replicas = replicas;
    this.channel = channel;
    this.balanced = balanced;
    this.tuned = tuned;
  }

  String label() {
    return label;
  }

  int replicas() {
    return replicas;
  }

  String channel() {
    return channel;
  }

  boolean isReplicated() {
    return replicas > 1;
  }

  boolean isTuned() {
    return tuned;
  }

  /** The arguments of {@code scripts/cluster up}. */
  List<String> options() {
    List<String> words = new ArrayList<>(List.of("up", "--replicas", Integer.toString(replicas)));
    words.addAll(List.of("--strategy", isReplicated() ? "group" : "none", "--set", "understudy.timing.header=true"));
    // Many clients on few processors are no reason for a view change.
    words.addAll(List.of("--set", "understudy.suspect.ms=5000"));
    if (isReplicated()) {
      words.addAll(List.of("--channel", channel));
    }
    if (balanced) {
      words.addAll(List.of("--set", "understudy.load.threshold=" + THRESHOLD));
    }
    return words;
  }

  /** Options of the replicas' JVMs. */
  String javaOptions() {
    return tuned ? "-Dhttp.threads=" + TUNED_THREADS : "";
  }
}
