package org.understudy.lab.durability;

import java.util.List;

/** What is compared, each a group of its own with one durability mapping of the Matchmaker. */
enum Setup {
  ORIGINAL("original", "original", true, false),
  PB("PB", "pb", false, false),
  PB_DB("PB+DB", "pbdb", false, true),
  DB("DB", "db", false, true);

  /** Those of Figure IV.3. A request that it measures changes the machines alone, so PB+DB would be the same as PB. */
  static final List<Setup> OF_ONE_OBJECT = List.of(ORIGINAL, PB, DB);

  private final String label;
  private final String mapping;
  private final boolean alone;
  private final boolean database;

  Setup(String label, String mapping, boolean alone, boolean database) {
    this.label = label;
    this.mapping = mapping;
    this.alone = alone;
    this.database = database;
  }

  String label() {
    return label;
  }

  boolean hasDatabase() {
    return database;
  }

  /** The number of replicas if a group has so many. */
  int replicas(int ofGroup) {
    return alone ? 1 : ofGroup;
  }

  /** The arguments of {@code scripts/cluster up}, without the archive. */
  List<String> options(int ofGroup) {
    return List.of(
        "up", "--replicas", Integer.toString(replicas(ofGroup)), "--strategy", alone ? "none" : "primary-backup",
        // Many clients on few processors are no reason for a failover.
        "--set", "understudy.suspect.ms=5000");
  }

  /** Options of the replicas' JVMs. */
  String javaOptions() {
    return "-Dmatchmaker.mapping=" + mapping + " -Dmatchmaker.policy=immediate"
        // As scripts/cluster has it for the archives of this project.
        + " -Dtomcat.util.scan.StandardJarScanFilter.jarsToSkip=*.jar";
  }
}
