package org.understudy.replication.core.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.membership.RecoveryMessage.Survey;
import org.understudy.replication.core.membership.RecoveryMessage.SurveyReply;

/**
 * Lets an operator recover a group in which one replica holds everything but the others lost their records, so that no
 * majority can promise. Surveys what each replica holds, and checks whether the operator's decision is safe.
 */
public final class Recovery {
  /** A margin above epochs that only the lost records contained. */
  private static final long EPOCH_GAP = 1_000_000;
  /** A silent link may need a new connection first. */
  private static final int SURVEY_SUSPICIONS = 10;

  private final ReplicaSetup setup;
  private final Map<ReplicaId, SurveyReply> replies = new TreeMap<>();
  /**
   * The number of the current survey, which distinguishes its answers from those to older ones, also of an earlier
   * incarnation.
   */
  private long number;
  private long nextQuestion;
  private long surveyEnd;

  Recovery(ReplicaSetup setup) {
    this.setup = setup;
  }

  /**
   * Whether a recovery may lie between a view of the earlier epoch and one of the later epoch. Lost records may have contained
   * higher epochs than the recovery knew, but not half a gap higher.
   */
  public static boolean mayLieBetween(long earlier, long later) {
    return earlier < 1 || later < earlier || later - earlier >= EPOCH_GAP / 2;
  }

  void begin(long now) {
    replies.clear();
    number = number == 0 ? setup.incarnation() : number + 1;
    nextQuestion = now;
    surveyEnd = now + SURVEY_SUSPICIONS * setup.timing().suspectNanos();
  }

  /** Whether replicas that have not answered are to be asked now: at each heartbeat, for some suspicion times. */
  boolean surveyDue(long now) {
    if (now < nextQuestion || now >= surveyEnd) {
      return false;
    }
    nextQuestion = now + setup.timing().heartbeatNanos();
    return true;
  }

  /** The message of the current survey. */
  Survey question(long epoch) {
    return new Survey(epoch, number);
  }

  boolean hasAnswered(ReplicaId replica) {
    return replies.containsKey(replica);
  }

  /** Records an answer to the current survey; answers to older surveys may be stale. */
  void add(ReplicaId replica, SurveyReply reply) {
    if (reply.survey() == number || !setup.enforces(Rule.SURVEY_IS_RECENT)) {
      replies.put(replica, reply);
    }
  }

  List<SurveyedReplica> surveyed(MembershipRecord record, ReplicatedLog log) {
    List<SurveyedReplica> all = new ArrayList<>();
    all.add(
        new SurveyedReplica(
            setup.self(), true, setup.incarnation(), record.admitted(), log.complete(), record.promisedEpoch(),
            record.base(), log.received()));
    for (ReplicaId replica : setup.configured()) {
      SurveyReply reply = replies.get(replica);
      if (reply != null) {
        all.add(
            new SurveyedReplica(
                replica, true, reply.incarnation(), reply.voter(), reply.complete(), reply.epoch(), reply.base(),
                reply.received()));
      } else if (!replica.equals(setup.self())) {
        all.add(SurveyedReplica.silent(replica));
      }
    }
    return all;
  }

  /** Why the decision is unsafe, in one sentence; null when it is safe. */
  String refusal(long now, Map<ReplicaId, Long> lost, MembershipRecord record, ReplicatedLog log) {
    ReplicaId self = setup.self();
    if (now >= surveyEnd && setup.enforces(Rule.SURVEY_IS_RECENT)) {
      return "The last survey at replica " + self + " is too old, and the group may have changed since. Survey it again.";
    }
    if (!record.admitted() || !log.complete() || !record.base().contains(self)) {
      return "Replica " + self + " does not hold the state of a view that it was a member of. Recover at a replica that does.";
    }
    int voters = 1;
    int back = 0;
    for (ReplicaId replica : setup.configured()) {
      if (replica.equals(self)) {
        continue;
      }
      SurveyReply reply = replies.get(replica);
      String refusal =
          lost.containsKey(replica)
              ? refusalOfLost(replica, lost.get(replica), reply)
              : refusalOfOther(replica, reply, record, log);
      if (refusal != null) {
        return refusal;
      }
      voters += lost.containsKey(replica) ? 0 : 1;
      back += lost.getOrDefault(replica, 0L) == 0 ? 0 : 1;
    }
    if (lost.containsKey(self)) {
      return "Replica " + self + " itself is named as lost. Recover at the replica that holds the state.";
    }
    if (!setup.configured().containsAll(lost.keySet())) {
      return "Of " + lost.keySet() + " not all are configured replicas; these are " + setup.configured() + ".";
    }
    if (voters >= setup.majority()) {
      return voters + " of " + setup.configured().size() + " replicas have their membership records, which is a majority."
          + " No recovery is needed; see the logs for why no view forms.";
    }
    if (voters + back < setup.majority()) {
      return "With " + back + " readmitted replicas there are still fewer than " + setup.majority()
          + " with a vote. Start more of the lost replicas and name their incarnations.";
    }
    return null;
  }

  private static String refusalOfLost(ReplicaId replica, long incarnation, SurveyReply reply) {
    if (reply != null && reply.voter()) {
      return "Replica " + replica + " still has its membership record; it is not lost.";
    }
    if (incarnation != 0 && (reply == null || reply.incarnation() != incarnation)) {
      return "Replica " + replica + " is to be readmitted as incarnation " + incarnation + ", but "
          + (reply == null ? "it does not answer" : "incarnation " + reply.incarnation() + " answers")
          + ". Survey the group again.";
    }
    return null;
  }

  private static String refusalOfOther(
      ReplicaId replica, SurveyReply reply, MembershipRecord record, ReplicatedLog log) {
    if (reply == null) {
      return "Replica " + replica + " does not answer. Start it, or declare it lost if its directory is lost.";
    }
    if (!reply.voter()) {
      return "Replica " + replica + " has no membership record. Declare it lost as well.";
    }
    if (reply.base().epoch() > record.base().epoch()) {
      return "Replica " + replica + " knows the newer view " + reply.base().epoch() + " " + reply.base().members()
          + "; this one knows " + record.base().epoch() + " " + record.base().members()
          + ". Updates that were acknowledged there may be missing here.";
    }
    boolean more =
        reply.complete() && reply.base().epoch() == record.base().epoch() && reply.received() > log.received();
    return more
        ? "Replica " + replica + " holds updates up to " + reply.received() + " and this one up to " + log.received()
            + ". Recover at replica " + replica + "."
        : null;
  }

  /** The epoch of the recovery, above all known ones. */
  long epochAbove(long highestSeen) {
    long highest = highestSeen;
    for (SurveyReply reply : replies.values()) {
      highest = Math.max(highest, Math.max(reply.epoch(), reply.base().epoch()));
    }
    return highest + EPOCH_GAP;
  }

  /** The incarnations, of the replicas declared lost, that are to return as empty joiners. */
  static Map<ReplicaId, Long> readmitted(Map<ReplicaId, Long> lost) {
    Map<ReplicaId, Long> back = new TreeMap<>(lost);
    back.values().removeIf(incarnation -> incarnation == 0);
    return back;
  }
}
