package org.understudy.replication.core.primarybackup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.HandledEffects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.ByteLimits;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;

/** The steps of an update that the coordinator of a transaction decides, at a primary without backups: each is stable at once. */
class CoordinatedUpdatesTest {
  private static final ParticipantRecord TRANSACTION = new ParticipantRecord("urn:t", new byte[0]);
  private static final int UNSTABLE = 4;

  private final List<String> effects = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();
  private final List<StateChange> committed = new ArrayList<>();
  private ReplicaCore core;
  private long now;
  private long token = 1;
  private final Effects out =
      HandledEffects.by((name, arguments) -> {
        switch (name) {
          case "execute", "reply", "rollback" -> effects.add(name + " " + arguments[0]);
          case "fail" -> {
            effects.add("fail " + arguments[0]);
            failures.add((Failure) arguments[1]);
          }
          case "commit" -> {
            effects.add("commit " + arguments[0]);
            ((List<?>) arguments[2]).forEach(change -> committed.add((StateChange) change));
          }
          case "prepared", "settled" -> effects.add(name + " " + arguments[0] + " " + arguments[1]);
          case "fence", "inDoubt" -> effects.add(name);
          default -> { }
        }
      });

  @BeforeEach
  void open() {
    ReplicaId self = new ReplicaId(1);
    Limits limits =
        new Limits(
            UNSTABLE, 64L << 20, 256 << 10, 1_000, 64, 1_000, 120_000_000_000L, 600_000_000_000L, 64, ByteLimits.DEFAULTS);
    core =
        new Unreplicated()
            .open(
                new ReplicaSetup(
                    self, List.of(self), Recovered.NOTHING, 1, Timing.of(Duration.ofMillis(50), Duration.ofMillis(500)), limits,
                    Rule.ALL));
    for (int i = 0; i < 200; i++, now += 10_000_000) {
      step(new Input.Tick());
    }
  }

  private void step(Input input) {
    core.step(now, now, input, out);
  }

  private void request(Request.Kind kind) {
    ReadLevel level = kind == Request.Kind.READ ? ReadLevel.LINEARIZABLE : null;
    step(new Input.Requested(++token, new Request(null, 0, kind, level, VersionHandle.INITIAL, 0, "")));
  }

  private void executed(Request.Kind kind, List<String> read, String... changed) {
    request(kind);
    step(new Input.Executed(token, versions(read), Response.EMPTY, changes(changed)));
  }

  private void prepare(String... changed) {
    request(Request.Kind.UPDATE);
    step(new Input.Executed(token, versions(List.of(changed)), Response.EMPTY, changes(changed), false, TRANSACTION));
  }

  private static Map<String, Long> versions(List<String> keys) {
    return keys.stream().collect(Collectors.toMap(key -> key, key -> 0L));
  }

  private static List<StateChange> changes(String... keys) {
    return Stream.of(keys).map(key -> new StateChange(key, new byte[1])).toList();
  }

  private void decide(long index, Decision decision) {
    step(new Input.CoordinatorDecided(new DecisionId(1, index), decision));
  }

  private void assertEffects(String... expected) {
    assertEquals(List.of(expected), effects);
    effects.clear();
  }

  @Test
  void mayBeVotedForAndTakesEffectAtTheMark() {
    prepare("r", "log" + StateChange.NUMBERED);
    assertEffects("execute 2", "prepared 2 1.1");
    assertEquals(List.of("r", "log/#"), core.undecided().get(0).resources());
    executed(Request.Kind.UPDATE, List.of("s"), "s");
    assertEffects("execute 3", "commit 3", "reply 3");
    decide(1, Decision.COMMITTED);
    assertEffects("commit 2", "settled 1.1 true", "reply 2");
    assertEquals(3, StateChange.indexOf(committed.get(2).resource()), "numbered at the place of the mark");
    assertEquals(List.of(), core.undecided());
    decide(1, Decision.ABORTED);
    assertEffects("settled 1.1 false");
  }

  @Test
  void abortedUpdateIsRolledBackAndNotExecutedAgain() {
    prepare("r");
    decide(1, Decision.ABORTED);
    assertEffects("execute 2", "prepared 2 1.1", "settled 1.1 true", "rollback 2", "fail 2");
    executed(Request.Kind.READ, List.of("r"));
    assertEffects("execute 3", "commit 3", "reply 3");
  }

  @Test
  void nothingThatReadsOrChangesItsResourcesTakesEffectMeanwhile() {
    prepare("a/1", "log" + StateChange.NUMBERED);
    effects.clear();
    executed(Request.Kind.READ, List.of("a/1"));
    executed(Request.Kind.READ, List.of("a/"));
    executed(Request.Kind.READ, List.of("log/"));
    executed(Request.Kind.UPDATE, List.of(), "a/1");
    executed(Request.Kind.UPDATE, List.of("a/1"), "b");
    for (int i = 3; i <= 7; i++) {
      assertEquals(List.of("execute " + i, "rollback " + i, "fail " + i), effects.subList(3 * (i - 3), 3 * (i - 2)));
      assertEquals(FailureCode.Overloaded, failures.get(i - 3).code());
    }
    effects.clear();
    executed(Request.Kind.READ, List.of("a/2", "a/10", "b/"));
    executed(Request.Kind.UPDATE, List.of("a/2"), "a/2", "log" + StateChange.NUMBERED);
    assertEffects("execute 8", "commit 8", "reply 8", "execute 9", "commit 9", "reply 9");
    prepare("a/1");
    assertEffects("execute 10", "rollback 10", "fail 10");
  }

  /** A read of a copy, which no lock keeps away. The transaction's caller may have been answered by the coordinator before it began. */
  @Test
  void readThatBeganBeforeTheMarkIsNotAnsweredAfterIt() {
    prepare("r");
    effects.clear();
    request(Request.Kind.READ);
    long read = token;
    request(Request.Kind.READ);
    decide(1, Decision.COMMITTED);
    step(new Input.Executed(read, versions(List.of("r")), Response.EMPTY, List.of()));
    step(new Input.Executed(token, versions(List.of("s")), Response.EMPTY, List.of()));
    assertEffects(
        "execute 3", "execute 4", "commit 2", "settled 1.1 true", "reply 2", "rollback 3", "fail 3", "commit 4", "reply 4");
    assertEquals(FailureCode.NotReady, failures.get(0).code());
    request(Request.Kind.READ);
    step(new Input.Executed(token, Map.of("r", 2L), Response.EMPTY, List.of()));
    assertEffects("execute 5", "commit 5", "reply 5");
  }

  @Test
  void onlyAPartOfTheBacklogIsForTransactions() {
    prepare("a");
    prepare("b");
    effects.clear();
    prepare("c");
    assertEffects("execute 4", "rollback 4", "fail 4");
    assertEquals(FailureCode.Overloaded, failures.get(0).code());
    decide(1, Decision.ABORTED);
    effects.clear();
    prepare("c");
    assertEffects("execute 5", "prepared 5 1.4");
  }

  @Test
  void callerThatHasGoneDoesNotUndoAPreparedUpdate() {
    prepare("r");
    step(new Input.Abandoned(2));
    decide(1, Decision.COMMITTED);
    assertEffects("execute 2", "prepared 2 1.1", "commit 2", "settled 1.1 true");
  }

  @Test
  void partInADatabaseIsRefused() {
    request(Request.Kind.UPDATE);
    step(new Input.Executed(token, Map.of(), Response.EMPTY, changes("r"), true, TRANSACTION));
    assertEffects("execute 2", "rollback 2", "fail 2");
    assertEquals(List.of(), core.undecided());
  }

  @Test
  void decisionsOfADatabaseAndOfCoordinatorsAreKeptApart() {
    prepare("r");
    step(new Input.Decided(2, new DecisionId(1, 1), Decision.COMMITTED, false));
    assertEffects("execute 2", "prepared 2 1.1");
    assertEquals(1, core.undecided().size());
  }

  @Test
  void recordsAreBounded() {
    assertThrows(IllegalArgumentException.class, () -> new ParticipantRecord("", new byte[0]));
    assertThrows(IllegalArgumentException.class, () -> new ParticipantRecord("u".repeat(1_025), new byte[0]));
    assertThrows(IllegalArgumentException.class, () -> new ParticipantRecord("u", new byte[(64 << 10) + 1]));
  }
}
