package org.understudy.lab.durability;

import java.util.List;

/** What Figure IV.6 compares, each a group of its own with one durability mapping of the Matchmaker. */
enum Setup {
  ORIGINAL("original", "original", false),
  PB("PB", "pb", false),
  PB_DB("PB+DB", "pbdb", true),
  DB("DB", "db", true);

  private final String label;
  private final String mapping;
  private final boolean database;

  Setup(String label, String mapping, boolean database) {
    this.label = label;
    this.mapping = mapping;
    this.database = database;
  }

  String label() {
    return label;
  }

  /** @param replicas of a group; original has one without a group */
  Deployment.Form form(int replicas) {
    return new Deployment.Form(Deployment.Service.MATCHMAKER, mapping, this == ORIGINAL ? 1 : replicas, database,
        List.of(Deployment.PATIENT, Deployment.TIMING));
  }
}
