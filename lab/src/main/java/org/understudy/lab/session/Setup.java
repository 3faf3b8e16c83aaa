package org.understudy.lab.session;

import java.util.List;

/** What is compared. */
enum Setup {
  NONE("none", 1),
  UNDERSTUDY("understudy", 3),
  DELTA("DeltaManager", 3),
  BACKUP("BackupManager", 3),
  JOURNAL("with journal", 3);

  /** The session manager, and Tomcat's own cluster. */
  static final List<Setup> CLUSTERS = List.of(NONE, UNDERSTUDY, DELTA, BACKUP);

  /** The session manager without and with a journal. */
  static final List<Setup> JOURNALS = List.of(NONE, UNDERSTUDY, JOURNAL);

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

  /** Whether the session manager of this project replicates the sessions. */
  boolean isUnderstudy() {
    return this == UNDERSTUDY || this == JOURNAL;
  }

  /** Whether Tomcat's own cluster replicates the sessions. */
  boolean isTomcatCluster() {
    return this == DELTA || this == BACKUP;
  }
}
