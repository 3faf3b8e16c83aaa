package org.understudy.lab.durability;

import java.util.List;

/** What Figure IV.3 compares, each a group of its own with one durability mapping of the counter. */
enum CounterSetup {
  ORIGINAL("original", "original", 1),
  PB("PB", "pb", 2),
  /** Not in the thesis. */
  PB_TWO_BACKUPS("PB 2 backups", "pb", 3),
  DB("DB", "db", 2);

  private final String label;
  private final String mapping;
  private final int replicas;

  CounterSetup(String label, String mapping, int replicas) {
    this.label = label;
    this.mapping = mapping;
    this.replicas = replicas;
  }

  String label() {
    return label;
  }

  Deployment.Form form() {
    return new Deployment.Form(Deployment.Service.COUNTERS, mapping, replicas, this == DB, List.of(Deployment.PATIENT, Deployment.TIMING));
  }
}
