package org.understudy.wsat.participant;

import com.arjuna.webservices.SoapFault;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.transaction.ContradictedDecisionException;
import org.understudy.container.transaction.TransactionParticipant;
import org.understudy.container.transaction.Vote;

/**
 * The participants of this group as coordinators see them. What a vote promises and which participants there are is in the group's log, so
 * this object has nothing that a restart could lose: any replica answers for any participant of its group, and passes a decision on to the
 * primary that has not got it. Thread-safe.
 */
final class GroupParticipants {
  /** What the ids of this module's participants begin with. */
  static final String PREFIX = "understudy-";
  private static final Logger LOG = LoggerFactory.getLogger(GroupParticipants.class);
  private static final int MAX_REPEATED = 100;
  private static final long PAUSE_MS = 20;

  private final GroupPart part;
  private final int self;
  private final ParticipantMessages messages;
  private final long patienceNanos;
  private final long forwardNanos;
  private final Failpoint.Listener failpoint;
  /** The transactions for which this replica has sent a vote since its start, or may assume that each replica was asked for it. */
  private final Set<String> voted = ConcurrentHashMap.newKeySet();
  /** When this replica noticed that a transaction is in doubt, in {@link System#nanoTime()}. */
  private final Map<String, Long> doubtful = new ConcurrentHashMap<>();

  /**
   * @param self the number of this replica
   * @param patienceNanos after which a coordinator has asked all its participants for their votes, or has given up
   * @param forwardNanos after which the primary, to which the coordinator sends its decision too, gets it from here
   */
  GroupParticipants(
      GroupPart part, int self, ParticipantMessages messages, long patienceNanos, long forwardNanos, Failpoint.Listener failpoint) {
    this.part = part;
    this.self = self;
    this.messages = messages;
    this.patienceNanos = patienceNanos;
    this.forwardNanos = forwardNanos;
    this.failpoint = failpoint;
  }

  static boolean isOurs(String id) {
    return id != null && id.startsWith(PREFIX);
  }

  /** Whether this replica can answer: what it does not know then has ended, or never began. */
  private boolean isReady() {
    TransactionParticipant group = part.group();
    return group != null && group.isMember();
  }

  /**
   * Answers Prepare, or nothing when no vote is true: the coordinator asks again, or aborts. Blocks.
   *
   * @return false when the participant is unknown to a replica that is up to date, and knows all that the group has voted for
   */
  boolean prepare(String id) throws InterruptedException {
    failpoint.reached(Failpoint.BEFORE_PREPARE);
    Registration registration = part.ofParticipant(id);
    if (registration == null || !isReady()) {
      return !isReady() || !part.group().knowsVotes();
    }
    Vote vote;
    try {
      vote = part.group().prepare(registration.transaction());
    } catch (IllegalStateException e) {
      LOG.debug("The participant {} cannot vote now.", id, e);
      return true;
    }
    failpoint.reached(Failpoint.BEFORE_VOTE);
    Registration.Member member = registration.member(id);
    switch (vote) {
      case PREPARED -> {
        voted.add(registration.transaction());
        send("Prepared", member, messages::prepared);
      }
      case READ_ONLY -> send("ReadOnly", member, messages::readOnly);
      case ABORTED -> send("Aborted", member, messages::aborted);
    }
    failpoint.reached(Failpoint.AFTER_VOTE);
    return true;
  }

  /**
   * Does what the coordinator has decided, and acknowledges when that is stable; answers nothing when it is not. Blocks.
   *
   * @return false when the participant is unknown to a replica that is up to date, so its transaction has ended
   */
  boolean decide(String id, boolean commit) throws InterruptedException {
    failpoint.reached(commit ? Failpoint.BEFORE_COMMIT : Failpoint.BEFORE_ROLLBACK);
    Registration registration = part.ofParticipant(id);
    if (registration == null || !isReady()) {
      return !isReady() || !part.group().knowsVotes();
    }
    String transaction = registration.transaction();
    try {
      passOn(registration, id, commit);
      if (commit) {
        part.group().commit(transaction);
      } else {
        part.group().abort(transaction);
      }
    } catch (ContradictedDecisionException e) {
      LOG.debug("The decision of the coordinator of {} is not acknowledged.", transaction, e);
      inform(registration, id, commit);
      send("InconsistentInternalState", registration.member(id), messages::contradicted);
      return true;
    } catch (IllegalStateException e) {
      LOG.debug("The decision of the coordinator of {} is not stable yet.", transaction, e);
      return true;
    }
    voted.remove(transaction);
    failpoint.reached(commit ? Failpoint.BEFORE_COMMITTED : Failpoint.BEFORE_ABORTED);
    if (commit) {
      send("Committed", registration.member(id), messages::committed);
    } else {
      send("Aborted", registration.member(id), messages::aborted);
    }
    failpoint.reached(commit ? Failpoint.AFTER_COMMITTED : Failpoint.AFTER_ABORTED);
    return true;
  }

  /** Only the primary can mark what is decided, and the coordinator may know none of its participants. */
  private void passOn(Registration registration, String id, boolean commit) throws InterruptedException {
    TransactionParticipant group = part.group();
    String transaction = registration.transaction();
    long begin = System.nanoTime();
    while (group.isPrepared(transaction)) {
      int primary = group.primary();
      if (primary == self) {
        return;
      }
      boolean patient = registration.members().containsKey(primary) && System.nanoTime() - begin < forwardNanos;
      if (primary != 0 && !patient) {
        try {
          messages.forward(primary, id, commit);
        } catch (IOException | SoapFault | RuntimeException e) {
          LOG.debug("The primary {} has not got the decision of {}. The coordinator sends it again.", primary, transaction, e);
        }
        return;
      }
      if (System.nanoTime() - begin > patienceNanos) {
        return;
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  /** Only the primary keeps that the coordinator has decided otherwise. */
  private void inform(Registration registration, String id, boolean commit) {
    int primary = part.group().primary();
    if (primary != self && primary != 0 && !registration.members().containsKey(primary)) {
      try {
        messages.forward(primary, id, commit);
      } catch (IOException | SoapFault | RuntimeException e) {
        LOG.debug("The primary {} has not got the decision of {}. The coordinator sends it again.", primary, registration.transaction(), e);
      }
    }
  }

  /** The coordinator does not know the transaction, or finds the participant's messages invalid. Nobody guesses then. */
  void fault(String id, String code) {
    Registration registration = part.ofParticipant(id);
    if (registration != null) {
      LOG.warn(
          "The coordinator of the transaction {} answered the participant {} with the fault {}. If the transaction stays in doubt, ask the "
              + "coordinator's operator and decide by the MBean Transactions.", registration.transaction(), id, code);
    }
  }

  /**
   * Sends Prepared again for what is in doubt: a coordinator that has aborted before it had a record of its decision answers with Rollback.
   * Never before the coordinator has asked, because it would abort. Blocks.
   */
  void repeatVotes() {
    TransactionParticipant group = part.group();
    if (group == null || !group.isMember()) {
      return;
    }
    Set<String> doubt = group.inDoubt();
    doubtful.keySet().retainAll(doubt);
    voted.retainAll(doubt);
    int sent = 0;
    for (String transaction : doubt) {
      long since = doubtful.computeIfAbsent(transaction, id -> System.nanoTime());
      Registration registration = part.of(transaction);
      boolean asked = voted.contains(transaction) || System.nanoTime() - since >= patienceNanos;
      if (registration == null || !asked) {
        continue;
      }
      if ((registration.members().containsKey(self) || group.primary() == self) && sent++ < MAX_REPEATED) {
        send("Prepared", registration.memberFor(self), messages::prepared);
      }
    }
  }

  private static void send(String what, Registration.Member member, Sending sending) {
    try {
      sending.send(member);
    } catch (IOException | SoapFault | RuntimeException e) {
      LOG.debug("The coordinator has not got {} of the participant {}. It is sent again.", what, member.id(), e);
    }
  }

  /** Sends one message. */
  private interface Sending {
    void send(Registration.Member member) throws IOException, SoapFault;
  }
}
