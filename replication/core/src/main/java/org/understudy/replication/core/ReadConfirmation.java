package org.understudy.replication.core;

/** How a primary makes sure, before it answers a linearizable read, that no other replica leads a newer view. */
public enum ReadConfirmation {
  /** A lease that a majority granted, measured on this replica's clocks; otherwise the next round of heartbeats. */
  LEASE,
  /** A majority acknowledges a numbered round that was sent after the read arrived. Assumes nothing about clocks. */
  ALWAYS
}
