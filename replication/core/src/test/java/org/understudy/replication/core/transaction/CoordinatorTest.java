package org.understudy.replication.core.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.Rule;

/** Two-phase commit at the coordinator: what it sends, when it decides, and what it answers to a participant in doubt. */
class CoordinatorTest {
  private static final String T = "urn:t";
  private static final CoordinatorLimits LIMITS = new CoordinatorLimits(2, 2, 1_000, 100);

  private final Coordinator coordinator = new Coordinator(LIMITS, Rule.ALL);
  private final List<String> effects = new ArrayList<>();
  private long now;
  private final CoordinatorEffects out =
      new CoordinatorEffects() {
        @Override
        public void registered(long token, String refusal) {
          effects.add(refusal == null ? "registered" : refusal);
        }

        @Override
        public void prepare(String transaction, RemoteParticipant participant) {
          effects.add("prepare " + participant.group());
        }

        @Override
        public void propose(DecisionRecord decision) {
          effects.add("propose " + decision.participants().stream().map(RemoteParticipant::group).toList());
        }

        @Override
        public void commit(String transaction, RemoteParticipant participant) {
          effects.add("commit " + participant.group());
        }

        @Override
        public void abort(String transaction, RemoteParticipant participant) {
          effects.add("abort " + participant.group());
        }

        @Override
        public void aborted(String transaction, String why) {
          effects.add("aborted: " + why);
        }

        @Override
        public void forget(String transaction) {
          effects.add("forget");
        }
      };

  private static RemoteParticipant participant(String group, String part) {
    return new RemoteParticipant(group, part, List.of("http://" + group));
  }

  private void step(CoordinatorInput input, String... expected) {
    effects.clear();
    coordinator.step(now, input, out);
    assertEquals(List.of(expected), effects);
  }

  private void open(String... groups) {
    step(new CoordinatorInput.Began(List.of()));
    step(new CoordinatorInput.Opened(T));
    for (String group : groups) {
      register(group, "1", "registered");
    }
  }

  private void register(String group, String part, String expected) {
    step(new CoordinatorInput.Registered(7, T, participant(group, part)), expected);
  }

  private void vote(String group, ParticipantVote vote, String... expected) {
    step(new CoordinatorInput.Voted(T, group, "1", vote), expected);
  }

  private void pass(long nanos, String... expected) {
    now += nanos;
    step(new CoordinatorInput.Tick(), expected);
  }

  private void assertStatus(TransactionStatus expected) {
    assertEquals(expected, coordinator.status(T, true));
  }

  @Test
  void commitsWhenAllHavePreparedAndForgetsWhenAllHaveAcknowledged() {
    open("a", "b");
    assertStatus(TransactionStatus.ACTIVE);
    step(new CoordinatorInput.CommitRequested(T), "prepare a", "prepare b");
    vote("a", ParticipantVote.PREPARED);
    vote("a", ParticipantVote.PREPARED);
    vote("b", ParticipantVote.PREPARED, "propose [a, b]");
    assertStatus(TransactionStatus.ACTIVE);
    vote("b", ParticipantVote.ABORTED);
    step(new CoordinatorInput.AbortRequested(T, "too late"));
    pass(10_000);
    step(new CoordinatorInput.Proposed(T, true), "commit a", "commit b");
    assertStatus(TransactionStatus.COMMITTED);
    step(new CoordinatorInput.Acknowledged(T, "a", "1"));
    step(new CoordinatorInput.Acknowledged(T, "a", "1"));
    pass(100, "commit b");
    assertEquals(1, coordinator.unacknowledged().size());
    step(new CoordinatorInput.Acknowledged(T, "b", "2"));
    step(new CoordinatorInput.Acknowledged(T, "b", "1"), "forget");
    assertStatus(TransactionStatus.ABORTED);
  }

  @Test
  void needsNoRecordWithoutChangesElsewhere() {
    open("a");
    step(new CoordinatorInput.CommitRequested(T), "prepare a");
    vote("a", ParticipantVote.READ_ONLY, "propose []");
    step(new CoordinatorInput.Proposed(T, true));
    assertEquals(List.of(), coordinator.unacknowledged());
    step(new CoordinatorInput.Opened("urn:alone"));
    step(new CoordinatorInput.CommitRequested("urn:alone"), "propose []");
  }

  @Test
  void abortsWhenOneCannotPrepare() {
    open("a", "b");
    step(new CoordinatorInput.CommitRequested(T), "prepare a", "prepare b");
    vote("b", ParticipantVote.PREPARED);
    vote("a", ParticipantVote.ABORTED, "abort b", "aborted: the group a could not prepare its part");
    assertStatus(TransactionStatus.ABORTED);
    step(
        new CoordinatorInput.CommitRequested(T),
        "aborted: it is unknown here: it has ended, or the primary at which it was begun has failed");
  }

  @Test
  void repeatsPrepareThenAborts() {
    open("a", "b");
    step(new CoordinatorInput.CommitRequested(T), "prepare a", "prepare b");
    vote("a", ParticipantVote.PREPARED);
    pass(99);
    pass(1, "prepare b");
    pass(900, "abort a", "abort b", "aborted: the groups [b] have not answered in time");
    vote("b", ParticipantVote.PREPARED);
    assertStatus(TransactionStatus.ABORTED);
  }

  @Test
  void abortsWhenAGroupHasLostItsPart() {
    open("a");
    register("a", "1", "registered");
    register("a", "2", "The transaction urn:t can only abort: the part of the group a was lost with its primary.");
    step(new CoordinatorInput.CommitRequested(T), "abort a", "aborted: the part of the group a was lost with its primary");
    register("a", "3", "The transaction urn:t is not open here: it was aborted, or it is being committed.");
  }

  @Test
  void registersNobodyWhileItIsBeingCommitted() {
    open("a");
    step(new CoordinatorInput.CommitRequested(T), "prepare a");
    register("b", "1", "The transaction urn:t is not open here: it was aborted, or it is being committed.");
    vote("a", ParticipantVote.PREPARED, "propose [a]");
    step(new CoordinatorInput.CommitRequested(T));
    step(new CoordinatorInput.Proposed(T, false), "abort a", "aborted: its update was not executed");
  }

  @Test
  void limitsParticipantsAndRecords() {
    open("a", "b");
    register("c", "1", "The transaction urn:t has 2 other groups, the limit.");
    step(
        new CoordinatorInput.Began(
            List.of(
                new DecisionRecord("urn:1", List.of(participant("a", "1"))),
                new DecisionRecord("urn:2", List.of(participant("b", "1"))))),
        "commit a", "commit b");
    step(new CoordinatorInput.Opened(T));
    register("a", "1", "registered");
    step(new CoordinatorInput.CommitRequested(T), "abort a", "aborted: too many decisions wait for acknowledgements of other groups");
    step(new CoordinatorInput.Acknowledged("urn:1", "a", "1"), "forget");
    step(new CoordinatorInput.Opened(T));
    register("a", "1", "registered");
    step(new CoordinatorInput.CommitRequested(T), "prepare a");
    assertThrows(IllegalArgumentException.class, () -> new RemoteParticipant("a", "", List.of("x")));
    assertThrows(IllegalArgumentException.class, () -> new RemoteParticipant("a", "1", List.of()));
  }

  /** The group's client learns that the transaction is aborted. */
  @Test
  void whatAGroupMayNotTakePartInCanOnlyAbort() {
    open("a", "b");
    register("c", "1", "The transaction urn:t has 2 other groups, the limit.");
    register("a", "1", "registered");
    step(
        new CoordinatorInput.CommitRequested(T), "abort a", "abort b",
        "aborted: it would have more than 2 other groups, the limit");
  }

  @Test
  void newPrimaryDeliversWhatIsDecidedAndPresumesTheRestAborted() {
    assertStatus(TransactionStatus.ACTIVE);
    open("a");
    step(new CoordinatorInput.CommitRequested(T), "prepare a");
    step(new CoordinatorInput.Ended());
    assertStatus(TransactionStatus.ACTIVE);
    vote("a", ParticipantVote.PREPARED);
    step(new CoordinatorInput.CommitRequested(T), "aborted: this replica is not the primary of the coordinator's group");
    step(new CoordinatorInput.Began(List.of(new DecisionRecord("urn:1", List.of(participant("a", "1"))))), "commit a");
    assertStatus(TransactionStatus.ABORTED);
    assertEquals(TransactionStatus.COMMITTED, coordinator.status("urn:1", true));
    vote("a", ParticipantVote.PREPARED);
  }

  @Test
  void clientAborts() {
    open("a");
    step(new CoordinatorInput.AbortRequested(T, "its client has aborted it"), "abort a", "aborted: its client has aborted it");
    step(new CoordinatorInput.AbortRequested(T, "again"));
  }
}
