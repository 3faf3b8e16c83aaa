package org.understudy.lab.group.refusal;

import java.util.ArrayList;
import java.util.List;

/** What is compared: servers with Tomcat's own limits of connections, and with those of {@code conf/server.xml}. */
public enum Connector {
  NONE("none, Tomcat's limits", 1, false),
  NONE_TUNED("none, tuned", 1, true),
  GROUP("group, Tomcat's limits", 3, false),
  GROUP_TUNED("group, tuned", 3, true);

  /** Tomcat's default. */
  private static final int MAX_CONNECTIONS = 8_192;
  /** Tomcat's default. */
  private static final int ACCEPT_COUNT = 100;

  private final String label;
  private final int replicas;
  private final boolean tuned;

  Connector(String label, int replicas, boolean tuned) {
    this.label = label;
    this.replicas = replicas;
    this.tuned = tuned;
  }

  public String label() {
    return label;
  }

  public int replicas() {
    return replicas;
  }

  /** The arguments of {@code scripts/cluster up}. */
  public List<String> options() {
    List<String> words = new ArrayList<>(List.of("up", "--replicas", Integer.toString(replicas)));
    words.addAll(List.of("--strategy", replicas > 1 ? "group" : "none"));
    // Many clients on few processors are no reason for a view change.
    words.addAll(List.of("--set", "understudy.suspect.ms=5000"));
    return words;
  }

  /** Options of the replicas' JVMs. Both have 200 threads. */
  public String javaOptions() {
    return tuned ? "" : "-Dhttp.connections=" + MAX_CONNECTIONS + " -Dhttp.backlog=" + ACCEPT_COUNT;
  }
}
