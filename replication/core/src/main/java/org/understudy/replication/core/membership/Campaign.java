package org.understudy.replication.core.membership;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;

/**
 * The state of this replica's attempt to form a view: first a pre-vote, then a ballot. Also decides when the next attempt
 * may begin.
 */
final class Campaign {
  private final ReplicaSetup setup;
  private final Set<ReplicaId> granted = new TreeSet<>();
  private boolean preVote;
  private Ballot ballot;
  /** The incarnations that the ballot readmits. */
  private Map<ReplicaId, Long> readmitted = Map.of();
  /** Postponed by every event that makes an attempt unnecessary. */
  private long notBefore;
  private long nextPrepare;
  /** How long a question and its answers took last, in an attempt of this replica or of another one; 0 if none was seen. */
  private long roundTrip;
  private long askedAt;
  private ReplicaId yieldedTo;
  private long yieldedIn;

  Campaign(ReplicaSetup setup) {
    this.setup = setup;
    postpone(0);
  }

  // ---- when

  boolean mayBegin(long now) {
    return now >= notBefore;
  }

  void allow(long now) {
    notBefore = now;
  }

  /** From this time on, or earlier if that is allowed already. */
  void allowFrom(long time) {
    notBefore = Math.min(notBefore, time);
  }

  /** Not before another replica would be suspected. An attempt asks for promises, then for acceptance. */
  void postpone(long now) {
    notBefore = now + setup.timing().suspectNanos() + stagger() + 3 * roundTrip;
  }

  /**
   * A question was answered. A pause of a replica can look like a long link, so this counts only up to a suspicion time: replicas
   * that are farther from each other suspect each other all the time.
   */
  void measured(long nanos) {
    if (setup.enforces(Rule.ATTEMPTS_FOLLOW_ROUND_TRIPS)) {
      roundTrip = Math.min(nanos, setup.timing().suspectNanos());
    }
  }

  private long stagger() {
    return (1 + setup.configured().indexOf(setup.self())) * setup.timing().staggerNanos();
  }

  // ---- pre-vote

  void beginPreVote(long now) {
    notBefore = now + retryNanos();
    if (!preVote) {
      askedAt = now;
    }
    ballot = null;
    preVote = true;
    granted.clear();
    granted.add(setup.self());
  }

  private long retryNanos() {
    return setup.timing().suspectNanos() / 2 + stagger() + roundTrip;
  }

  /**
   * Leaves an attempt to another candidate, which comes before this one, so that two questions that cross on a long link do not become two
   * ballots. Once in an epoch: a candidate that never gets an answer stops nobody.
   */
  void yieldTo(ReplicaId candidate, long epoch, long now) {
    boolean again = candidate.equals(yieldedTo) && epoch == yieldedIn;
    if (ballot == null && !again && setup.enforces(Rule.JUNIOR_CANDIDATE_YIELDS)) {
      yieldedTo = candidate;
      yieldedIn = epoch;
      preVote = false;
      notBefore = Math.max(notBefore, now + retryNanos());
    }
  }

  long roundTrip() {
    return roundTrip;
  }

  /** A majority has granted the pre-vote. */
  void granted(long now) {
    measured(now - askedAt);
  }

  boolean isPreVote() {
    return preVote;
  }

  void endPreVote() {
    preVote = false;
  }

  void grant(ReplicaId voter) {
    granted.add(voter);
  }

  boolean isGranted() {
    return granted.size() >= setup.majority();
  }

  // ---- ballot

  void open(Ballot next, Map<ReplicaId, Long> incarnations) {
    ballot = next;
    readmitted = incarnations;
  }

  /** The current ballot, or null. */
  Ballot ballot() {
    return ballot;
  }

  /** The incarnation of this replica that the ballot readmits, or 0. */
  long readmitted(ReplicaId replica) {
    return readmitted.getOrDefault(replica, 0L);
  }

  void endBallot() {
    ballot = null;
  }

  /** Cancels the attempt, because another candidate or a view has come first. */
  void withdraw() {
    ballot = null;
    preVote = false;
  }

  boolean isPrepareDue(long now) {
    return ballot != null && now >= nextPrepare;
  }

  void prepared(long now) {
    nextPrepare = now + setup.timing().heartbeatNanos();
  }
}
