package org.understudy.replication.core.group;

/**
 * When the sequencer of a group delegates the order to a member, which then places its own proposals.
 *
 * @param succession after how many updates of one member in succession, from 1
 * @param longest what that becomes at most: each delegation that was recalled before it was worth its messages makes it four times as
 *     long
 */
public record DelegationPolicy(int succession, int longest) {
  /** A delegation delays the next update of another replica by two messages, and saves one with each update under it. */
  public static final DelegationPolicy DEFAULT = new DelegationPolicy(4, 4_096);

  /** Delegates at each opportunity, which is slow; for simulations. */
  public static final DelegationPolicy EAGER = new DelegationPolicy(1, 1);

  public DelegationPolicy {
    if (succession < 1 || longest < succession) {
      throw new IllegalArgumentException("Delegations need from 1 update in succession on, not " + succession + " to " + longest + ".");
    }
  }
}
