package org.understudy.lab.durability;

/** What Zhang 2006 (IV.D) reports: one backup, MySQL 4.0, Globus Toolkit 4. The figures have no numbers; the text has these. */
final class Thesis {
  /** The round trip of the original counter. */
  static final double ROUND_TRIP_MILLIS = 139;
  /** The same with its object in a database. */
  static final double DATABASE_MILLIS = 171;
  /** By how much a round trip of the Matchmaker with DB is longer than with PB, approximately. */
  static final double DATABASE_OVER_REPLICATION_MILLIS = 60;
  /** Clients that load the Matchmaker. */
  static final int CLIENTS = 4;
  /** The most requests of a round. */
  static final int REQUESTS = 5;

  private Thesis() {}
}
