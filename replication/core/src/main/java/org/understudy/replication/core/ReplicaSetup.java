package org.understudy.replication.core;

import java.util.List;
import java.util.Set;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.wire.WireVersions;

/**
 * The parameters of a new core.
 *
 * @param self this replica
 * @param configured every replica of the group, in ascending order, this one included
 * @param recovered what earlier incarnations of this replica stored, or {@link Recovered#NOTHING}
 * @param incarnation a different number for every start of this replica, never 0
 * @param timing the protocol's times
 * @param limits the protocol's limits
 * @param reads how the primary confirms linearizable reads
 * @param wire the wire versions that this replica reads
 * @param journal whether the deployment keeps records that are appended, for a strategy that has some
 * @param startsEmpty whether this replica, when it has lost its state, agrees to start the group without state
 * @param rules the enforced rules: {@link Rule#ALL} except in mutants of the simulation
 */
public record ReplicaSetup(
    ReplicaId self,
    List<ReplicaId> configured,
    Recovered recovered,
    long incarnation,
    Timing timing,
    Limits limits,
    ReadConfirmation reads,
    WireVersions wire,
    boolean journal,
    boolean startsEmpty,
    Set<Rule> rules) {

  public ReplicaSetup {
    configured = configured.stream().sorted().distinct().toList();
    if (!configured.contains(self)) {
      throw new IllegalArgumentException("Replica " + self + " is not among the configured replicas " + configured + ".");
    }
    if (incarnation == 0) {
      throw new IllegalArgumentException("The incarnation must not be 0.");
    }
  }

  /** Without a journal. */
  public ReplicaSetup(
      ReplicaId self,
      List<ReplicaId> configured,
      Recovered recovered,
      long incarnation,
      Timing timing,
      Limits limits,
      ReadConfirmation reads,
      WireVersions wire,
      Set<Rule> rules) {
    this(self, configured, recovered, incarnation, timing, limits, reads, wire, false, false, rules);
  }

  /** Returns this setup with a journal or without. */
  public ReplicaSetup withJournal(boolean kept) {
    return new ReplicaSetup(
        self, configured, recovered, incarnation, timing, limits, reads, wire, kept, startsEmpty, rules);
  }

  /** With the wire versions of this build. */
  public ReplicaSetup(
      ReplicaId self,
      List<ReplicaId> configured,
      Recovered recovered,
      long incarnation,
      Timing timing,
      Limits limits,
      ReadConfirmation reads,
      Set<Rule> rules) {
    this(self, configured, recovered, incarnation, timing, limits, reads, WireVersions.CURRENT, rules);
  }

  /** With reads under leases and the wire versions of this build. */
  public ReplicaSetup(
      ReplicaId self,
      List<ReplicaId> configured,
      Recovered recovered,
      long incarnation,
      Timing timing,
      Limits limits,
      Set<Rule> rules) {
    this(self, configured, recovered, incarnation, timing, limits, ReadConfirmation.LEASE, rules);
  }

  /** The size of a majority of the configured replicas. */
  public int majority() {
    return configured.size() / 2 + 1;
  }

  /**
   * Whether the view has fewer members than a majority, so that it cannot make anything stable: it only brings others up to
   * date. One more crash could lose what it acknowledged.
   */
  public boolean lacksQuorum(View view) {
    return view.members().size() < majority() && enforces(Rule.WRITABLE_WITH_MAJORITY);
  }

  public boolean enforces(Rule rule) {
    return rules.contains(rule);
  }
}
