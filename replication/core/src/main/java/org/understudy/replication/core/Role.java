package org.understudy.replication.core;

/** What a replica is at the moment. */
public enum Role {
  /** Has no place in a view yet, or no longer: asks to be brought up to date. */
  JOINING,
  BACKUP,
  /** Has promised a new view, or waits for one to begin. Executes nothing. */
  CHANGING,
  PRIMARY
}
