package org.understudy.replication.core;

/** The role of a replica in its view. */
public enum Role {
  /** Outside the view: requests the state in order to catch up. */
  JOINING,
  BACKUP,
  /** Has promised a new view or waits for one to begin. Executes nothing. */
  CHANGING,
  PRIMARY
}
