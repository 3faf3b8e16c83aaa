package org.understudy.lab.durability;

import java.util.List;

/** What recovers the counters of a group of three replicas after a failure. */
enum Mechanism {
  replication("replication", "pb"),
  database("database", "db"),
  /** Clients send their counters again. */
  reconstruction("reconstruction", "original"),
  /** All replicas are killed and restarted. */
  journal("total restart", "pb", "understudy.journal=disk");

  private static final int REPLICAS = 3;

  private final String label;
  private final String mapping;
  private final List<String> settings;

  Mechanism(String label, String mapping, String... settings) {
    this.label = label;
    this.mapping = mapping;
    this.settings = List.of(settings);
  }

  String label() {
    return label;
  }

  Deployment.Form form() {
    return new Deployment.Form(Deployment.Service.COUNTERS, mapping, REPLICAS, this == database, settings);
  }
}
