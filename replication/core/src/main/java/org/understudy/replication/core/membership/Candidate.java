package org.understudy.replication.core.membership;

import java.util.Map;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.detection.FailureDetector;
import org.understudy.replication.core.membership.MembershipMessage.Nack;
import org.understudy.replication.core.membership.MembershipMessage.NewView;
import org.understudy.replication.core.membership.MembershipMessage.PreVote;
import org.understudy.replication.core.membership.MembershipMessage.PreVoteReply;
import org.understudy.replication.core.membership.MembershipMessage.Prepare;
import org.understudy.replication.core.membership.MembershipMessage.Promise;
import org.understudy.replication.core.membership.RecoveryMessage.Readmit;

/** Forms views: collects pre-votes, then promises, and proposes the one view of its epoch. */
final class Candidate {
  private final ReplicaSetup setup;
  private final ReplicaId self;
  private final MembershipState state;
  private final Campaign campaign;
  private final FailureDetector detector;
  private final Leadership leadership;
  private final Voter voter;

  Candidate(MembershipState state, Campaign campaign, FailureDetector detector, Leadership leadership, Voter voter) {
    this.setup = state.setup();
    this.self = setup.self();
    this.state = state;
    this.campaign = campaign;
    this.detector = detector;
    this.leadership = leadership;
    this.voter = voter;
  }

  /**
   * Requests pre-votes first, so that a replica that returns from a partition does not disturb the group. Does nothing while this replica
   * waits for its disk, or gives way.
   */
  void campaign(long now, Effects out) {
    if (detector.isStorageLate(now) || leadership.givesWay(now)) {
      return;
    }
    campaign.beginPreVote(now);
    state.loads().forget(out);
    state.sendToOthers(new PreVote(state.highestSeen() + 1), out);
    if (campaign.isGranted()) {
      prepare(now, false, out);
    }
  }

  /**
   * Takes a channel's hint that a replica has ended. The first attempt to replace a primary may have failed because the others had no hint
   * yet, or because a late message had canceled it: each further hint permits another one.
   */
  void hint(long now, ReplicaId replica) {
    detector.hint(replica);
    if (state.role() == Role.BACKUP && replica.equals(state.view().primary())) {
      campaign.allowFrom(now + rank() * setup.timing().staggerNanos());
    }
  }

  /** The senior backup campaigns first and the others one stagger later each, so that candidates do not collide. */
  int rank() {
    int place = state.view().members().indexOf(self);
    return place > 0 ? place - 1 : setup.configured().indexOf(self);
  }

  void onPreVoteReply(long now, ReplicaId from, PreVoteReply message, Effects out) {
    state.saw(message.epoch());
    // The primary was heard again and got a lease, which forbids the candidate's own promise too.
    if (state.isBound(now) && !self.equals(state.record().accepted().primary())) {
      campaign.endPreVote();
    }
    if (campaign.isPreVote() && message.granted()) {
      campaign.grant(from);
      if (campaign.isGranted()) {
        campaign.granted(now);
        prepare(now, false, out);
      }
    }
  }

  /** Requests promises for an epoch above all known ones. */
  void prepare(long now, boolean first, Effects out) {
    leadership.prepareNextView(now);
    open(now, highestKnown() + 1, first, Map.of(), out);
  }

  /** The highest known epoch. */
  long highestKnown() {
    return Math.max(state.highestSeen(), state.record().promisedEpoch());
  }

  /**
   * Promises to itself first, then requests the promises of the others.
   *
   * @param readmitted the incarnations of replicas without a record that are asked to return as empty joiners
   */
  void open(long now, long epoch, boolean first, Map<ReplicaId, Long> readmitted, Effects out) {
    campaign.endPreVote();
    campaign.open(new Ballot(setup, epoch, first, now), readmitted);
    voter.promise(now, epoch, self, first, out);
    campaign.ballot().add(self, voter.givenPromise());
    askForPromises(now, out);
    decide(now, out);
  }

  /** Repeats the request to replicas that have not answered, when the retry time has come. */
  void tick(long now, Effects out) {
    if (campaign.isPrepareDue(now)) {
      askForPromises(now, out);
    }
  }

  private void askForPromises(long now, Effects out) {
    campaign.prepared(now);
    Ballot ballot = campaign.ballot();
    for (ReplicaId replica : setup.configured()) {
      long incarnation = campaign.readmitted(replica);
      if (incarnation != 0) {
        // Also sent to a replica that has promised, so that its readmission is not lost.
        out.send(replica, new Readmit(ballot.epoch(), incarnation, state.record().base()));
      } else if (!ballot.has(replica)) {
        out.send(replica, new Prepare(ballot.epoch(), ballot.first()));
      }
    }
  }

  void onPromise(long now, ReplicaId from, Promise message, Effects out) {
    Ballot ballot = campaign.ballot();
    if (ballot != null && message.epoch() == ballot.epoch()) {
      ballot.add(from, message);
      decide(now, out);
    }
  }

  /** Forms the view when all replicas that are likely to answer have answered, or when the grace time is over. */
  void decide(long now, Effects out) {
    Ballot ballot = campaign.ballot();
    if (ballot == null || state.record().promisedEpoch() != ballot.epoch()) {
      return;
    }
    boolean waitsForNobody = true;
    for (ReplicaId replica : setup.configured()) {
      waitsForNobody &= ballot.has(replica) || detector.isUnresponsive(replica, now);
    }
    if (!waitsForNobody && now - ballot.startedAt() < setup.timing().graceNanos() + campaign.roundTrip()) {
      return;
    }
    NewView next =
        ballot.view(state.record().accepted().senior(), detector.stuck(), leadership.quarantined(now));
    if (next == null) {
      return;
    }
    campaign.endBallot();
    state.sendToOthers(next, out);
    voter.onNewView(now, next, out);
  }

  void onNack(long now, Nack message, Effects out) {
    if (message.epoch() <= state.record().promisedEpoch()) {
      return;
    }
    state.saw(message.epoch());
    leadership.lease().clear();
    if (state.isPrimary() && campaign.mayBegin(now)) {
      campaign(now, out);
    } else if (campaign.ballot() != null && message.epoch() > campaign.ballot().epoch()) {
      campaign.endBallot();
    }
  }
}
