package org.understudy.lab.compare;

import java.util.List;

/** What is compared: the transfer modes, and no replication at all. */
enum Mode {
  NONE("none"),
  SOCKET("socket"),
  CALL("call"),
  NOTIFICATION("notification");

  /** Those that replicate. */
  static final List<Mode> TRANSFERS = List.of(SOCKET, CALL, NOTIFICATION);

  private final String label;

  Mode(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /** The arguments of {@code scripts/cluster up}. */
  List<String> options(int replicas) {
    return this == NONE
        ? List.of("--strategy", "none", "--replicas", "1")
        : List.of("--transfer", label, "--replicas", Integer.toString(replicas));
  }
}
