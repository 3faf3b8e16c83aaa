package org.understudy.replication.runtime;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.peer.FrameSizes;

/**
 * The configuration of a runtime.
 *
 * @param directory of the membership record; created when absent; for one replica only
 * @param requestDeadline how long a call may wait for stability before it fails as StillPending
 * @param executionDeadline how long a service method may run before its call fails as StillPending; the method continues
 * @param sizes of messages between replicas
 * @param group name of the group, kept in the membership record
 * @param reads how the primary confirms linearizable reads
 * @param wire the wire versions that this replica reads
 * @param journal whether the replica keeps a journal in its directory, if its strategy has one
 * @param startsEmpty whether the replica, when it has lost its state, agrees to start the group without state, if its strategy can
 * @param label tells the replicas of several groups in one process apart, in logs; empty for none
 */
public record RuntimeSettings(
    ReplicaId self,
    List<ReplicaId> configured,
    Path directory,
    Timing timing,
    Limits limits,
    Duration requestDeadline,
    Duration executionDeadline,
    FrameSizes sizes,
    String group,
    ReadConfirmation reads,
    WireVersions wire,
    String label,
    boolean journal,
    boolean startsEmpty) {
  /** Long enough for a batch job that is called as a service. */
  public static final Duration EXECUTION_DEADLINE = Duration.ofMinutes(5);

  /** The group {@code understudy}, with leases. */
  public RuntimeSettings(
      ReplicaId self,
      List<ReplicaId> configured,
      Path directory,
      Timing timing,
      Limits limits,
      Duration requestDeadline,
      Duration executionDeadline,
      FrameSizes sizes) {
    this(
        self, configured, directory, timing, limits, requestDeadline, executionDeadline, sizes, "understudy",
        ReadConfirmation.LEASE, WireVersions.CURRENT, "", false, false);
  }

  /** With the default execution deadline and sizes. */
  public RuntimeSettings(
      ReplicaId self,
      List<ReplicaId> configured,
      Path directory,
      Timing timing,
      Limits limits,
      Duration requestDeadline) {
    this(self, configured, directory, timing, limits, requestDeadline, EXECUTION_DEADLINE, FrameSizes.DEFAULTS);
  }

  /** Returns these settings for another group, with another way to confirm reads. */
  public RuntimeSettings with(String group, ReadConfirmation reads) {
    return new RuntimeSettings(
        self, configured, directory, timing, limits, requestDeadline, executionDeadline, sizes, group, reads, wire, label,
        journal, startsEmpty);
  }

  /** Returns these settings for a replica of another build, for simulations. */
  public RuntimeSettings with(WireVersions versions) {
    return new RuntimeSettings(
        self, configured, directory, timing, limits, requestDeadline, executionDeadline, sizes, group, reads, versions, label,
        journal, startsEmpty);
  }

  /** Returns these settings with another label. */
  public RuntimeSettings labelled(String text) {
    return new RuntimeSettings(
        self, configured, directory, timing, limits, requestDeadline, executionDeadline, sizes, group, reads, wire, text,
        journal, startsEmpty);
  }

  /** Returns these settings with a journal or without. */
  public RuntimeSettings journaled(boolean kept) {
    return new RuntimeSettings(
        self, configured, directory, timing, limits, requestDeadline, executionDeadline, sizes, group, reads, wire, label, kept,
        startsEmpty);
  }

  /** Returns these settings with the consent to start the group without state, or without it. */
  public RuntimeSettings startingEmpty(boolean agrees) {
    return new RuntimeSettings(
        self, configured, directory, timing, limits, requestDeadline, executionDeadline, sizes, group, reads, wire, label, journal,
        agrees);
  }

  /**
   * What the core of a replica with these settings begins with.
   *
   * @throws IOException when the host's records cannot be read, in one sentence
   */
  ReplicaSetup setup(ReplicationStrategy strategy, ReplicaHost host, Set<Rule> rules) throws IOException {
    return new ReplicaSetup(
        self,
        configured,
        host.recovered(),
        host.incarnation(),
        timing,
        limits,
        reads,
        wire,
        journal && strategy.records().stream().anyMatch(RecordKind::isAppended),
        startsEmpty && strategy.canStartEmpty(),
        rules);
  }

  /** Returns the replica's number with the label, for logs and sentences. */
  String name() {
    return label.isEmpty() ? self.toString() : self + " of group " + label;
  }
}
