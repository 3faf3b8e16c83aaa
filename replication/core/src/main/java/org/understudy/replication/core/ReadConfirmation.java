package org.understudy.replication.core;

/** How a primary ensures, before it answers a linearizable read, that no other replica leads a newer view. */
public enum ReadConfirmation {
  /**
   * By a lease that a majority granted, measured on this replica's clocks; without a lease, by the next round of
   * heartbeats.
   */
  LEASE,
  /**
   * By a majority's acknowledgement of a numbered round that was sent after the read arrived. Assumes nothing about clocks.
   */
  ALWAYS
}
