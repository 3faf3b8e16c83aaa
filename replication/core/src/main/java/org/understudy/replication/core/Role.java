package org.understudy.replication.core;

/** What a replica is at the moment. */
public enum Role {
  /** Is not in a view yet, or no longer: requests the state in order to catch up. */
  JOINING,
  BACKUP,
  /** Has promised a new view, or waits for one to begin. Executes nothing. */
  CHANGING,
  PRIMARY
}
