package org.understudy.replication.core.membership;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.detection.FailureDetector;
import org.understudy.replication.core.request.Failure;

/** Finds the reason why this replica has no quorum, and logs once when it has lost the majority and once when it has it again. */
final class QuorumWatch {
  /** A view change takes about one suspicion time, so a longer silence is a loss. */
  private static final int VIEW_CHANGE_SUSPICIONS = 2;

  private final ReplicaSetup setup;
  private final FailureDetector detector;
  private final DatabaseReach database;
  /** The replicas that have reported that they have no record of their votes, with the time of their last report. */
  private final Map<ReplicaId, Long> withoutRecord = new TreeMap<>();
  /** When this replica last had a majority; 0 is the first step. */
  private long hadMajorityAt;
  private boolean reported;
  private boolean reportedStorage;

  QuorumWatch(ReplicaSetup setup, FailureDetector detector, DatabaseReach database) {
    this.setup = setup;
    this.detector = detector;
    this.database = database;
  }

  /** @param voter whether the replica has a durable record of its votes, so that its promises count */
  void reports(long now, ReplicaId replica, boolean voter) {
    if (voter) {
      withoutRecord.remove(replica);
    } else {
      withoutRecord.put(replica, now);
    }
  }

  /** @param connected whether this replica is in contact with a majority */
  void tick(long now, Role role, View view, boolean connected, Effects out) {
    reportStorage(now, out);
    boolean member = role == Role.PRIMARY || role == Role.BACKUP;
    if (role == Role.JOINING) {
      hadMajorityAt = now;
    } else if (connected && !(member && setup.lacksQuorum(view))) {
      hadMajorityAt = now;
      if (reported && member) {
        reported = false;
        out.inform(
            "Replica " + setup.self() + " has a majority again, in view " + view.epoch() + " with members " + view.members() + ".");
      }
    } else if (!reported && isLost(now)) {
      reported = true;
      out.warn(
          "Replica " + setup.self() + " has lost the majority: " + reason(now, view, connected)
              + " It serves no updates and no linearizable reads. " + advice(now, view, connected));
    }
  }

  private void reportStorage(long now, Effects out) {
    boolean stuck = detector.isStorageStuck(now);
    if (stuck && !reportedStorage) {
      out.warn("Replica " + setup.self() + " leads no view until its disk answers: " + stuckStorage()
          + " Check the disk of understudy.directory.");
    } else if (!stuck && reportedStorage) {
      out.inform("The disk of replica " + setup.self() + " answers again.");
    }
    reportedStorage = stuck;
  }

  private boolean isDiskTheReason(long now, View view) {
    return detector.isStorageStuck(now) && setup.self().equals(view.primary());
  }

  private String stuckStorage() {
    return "nothing that it writes has become durable for " + setup.timing().suspectNanos() / 1_000_000 + " ms.";
  }

  /** Whether there has been no majority for longer than a view change takes. */
  boolean isLost(long now) {
    return now - hadMajorityAt > VIEW_CHANGE_SUSPICIONS * setup.timing().suspectNanos();
  }

  /** The failure of a request that needs a majority. */
  Failure failure(long now, View view, boolean connected) {
    String retry = withoutRecord(now).isEmpty() ? "Retry later." : "Retry later, or let an operator recover the group.";
    return new Failure(
        FailureCode.NoQuorum, "There is no quorum: " + reason(now, view, connected) + " Nothing was executed. " + retry);
  }

  private String reason(long now, View view, boolean connected) {
    String few = "fewer than " + setup.majority() + " of " + setup.configured().size() + " replicas ";
    if (isDiskTheReason(now, view)) {
      return "the disk of replica " + setup.self() + " hangs: " + stuckStorage();
    }
    if (database.givesWay(now)) {
      return "the database does not answer replica " + setup.self() + ", which gives way to a replica that it answers.";
    }
    Set<ReplicaId> lost = withoutRecord(now);
    if (connected && setup.lacksQuorum(view)) {
      return few + "have the state, and the others are being brought up to date.";
    }
    return lost.isEmpty()
        ? few + "are in contact."
        : few + "are in contact and have their durable records; without records: " + lost + ".";
  }

  private String advice(long now, View view, boolean connected) {
    if (isDiskTheReason(now, view)) {
      return "Check the disk of understudy.directory.";
    }
    if (database.givesWay(now)) {
      return "Check the network between this replica and the database.";
    }
    if (connected && setup.lacksQuorum(view)) {
      return "Wait until they are members.";
    }
    return withoutRecord(now).isEmpty()
        ? "Check the other replicas and the network to them."
        : "Start the others, or give those their directories back; if both are lost for good, see scripts/recover.";
  }

  /** The replicas without records, if there would be a majority with them. */
  private Set<ReplicaId> withoutRecord(long now) {
    Set<ReplicaId> lost = new TreeSet<>();
    withoutRecord.forEach((replica, at) -> {
      if (now - at <= setup.timing().suspectNanos()) {
        lost.add(replica);
      }
    });
    Set<ReplicaId> reachable = new TreeSet<>(lost);
    reachable.add(setup.self());
    setup.configured().stream().filter(replica -> detector.hears(replica, now)).forEach(reachable::add);
    return reachable.size() >= setup.majority() ? lost : Set.of();
  }
}
