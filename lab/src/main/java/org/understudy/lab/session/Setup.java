package org.understudy.lab.session;

import java.util.List;

/** What is compared. */
enum Setup {
  NONE("none", 1),
  UNDERSTUDY("understudy", 3),
  DELTA("DeltaManager", 3),
  BACKUP("BackupManager", 3);

  /** Those that replicate. */
  static final List<Setup> REPLICATED = List.of(UNDERSTUDY, DELTA, BACKUP);

  private final String label;
  private final int servers;

  Setup(String label, int servers) {
    this.label = label;
    this.servers = servers;
  }

  String label() {
    return label;
  }

  int servers() {
    return servers;
  }

  /** Whether Tomcat's own cluster replicates the sessions. */
  boolean isTomcatCluster() {
    return this == DELTA || this == BACKUP;
  }
}
