package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.runtime.record.JournalRecovery;
import org.understudy.test.Condition;

/** All replicas of a group stop and start again, with journals on real files. */
class JournalRestartTest {
  private static final int STATE_BYTES = 7_000;

  @TempDir Path directory;
  private SessionId session;
  private Reply last;

  private void update(Group group, int updates) throws Exception {
    int primary = group.awaitPrimary(3);
    session = group.openSession(primary);
    for (int sequence = 1; sequence <= updates; sequence++) {
      last = (Reply) group.ask(primary, key(sequence), Request.Kind.UPDATE, STATE_BYTES + sequence);
    }
  }

  private RequestKey key(int sequence) {
    return new RequestKey.OfSession(session, sequence);
  }

  /** Asks a primary, and again while a view change stops it: then nothing was executed. */
  private static Object ask(Group group, RequestKey key, int stateBytes) {
    Object[] answer = new Object[1];
    Condition.await("a primary that answers", () -> {
      try {
        answer[0] = group.ask(group.awaitPrimary(3), key, Request.Kind.UPDATE, stateBytes);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      return !(answer[0] instanceof Failure failure && failure.code() == FailureCode.NotReady);
    });
    return answer[0];
  }

  private static void stopAll(Group group) {
    for (int number = 1; number <= 3; number++) {
      group.stop(number);
    }
  }

  private static void startAll(Group group) throws IOException {
    for (int number = 1; number <= 3; number++) {
      group.start(number);
    }
  }

  /** The state is there, and a retry of the last request gets its stored answer. */
  private void assertContinues(Group group, int updates) throws Exception {
    int primary = group.awaitPrimary(3);
    assertEquals(STATE_BYTES + updates, group.replicas.get(primary).state("counter").length);
    Reply again = (Reply) ask(group, key(updates), 1);
    assertEquals(Reply.Status.REPLAYED, again.status());
    assertArrayEquals(last.response().body(), again.response().body());
    assertEquals(Reply.Status.EXECUTED, ((Reply) ask(group, key(updates + 1), STATE_BYTES)).status());
    Condition.await("equal states", () -> group.replicas.values().stream().map(Replica::digest).distinct().count() == 1);
  }

  @Test
  void groupContinuesAfterAllReplicasHaveStopped() throws Exception {
    try (Group group = Group.withJournals(directory, 3)) {
      update(group, 30);
      long epoch = group.replicas.get(1).view().epoch();
      stopAll(group);
      startAll(group);
      assertContinues(group, 30);
      assertTrue(group.replicas.get(1).view().epoch() > epoch, "Epochs go on.");
      stopAll(group);
      startAll(group);
      assertEquals(STATE_BYTES, group.replicas.get(group.awaitPrimary(3)).state("counter").length);
    }
  }

  @Test
  void replicaWithDamagedOrLostJournalIsBroughtUpToDate() throws Exception {
    try (Group group = Group.withJournals(directory, 3)) {
      update(group, 20);
      stopAll(group);
      Path lost = group.directory(2).resolve("journal");
      for (Path file : files(lost)) {
        Files.delete(file);
      }
      Files.delete(lost);
      Path damaged = files(group.directory(1).resolve("journal")).get(0);
      byte[] bytes = Files.readAllBytes(damaged);
      bytes[bytes.length - 5_000] ^= 4;
      Files.write(damaged, bytes);
      IOException refused = assertThrows(IOException.class, () -> group.start(1));
      assertTrue(refused.getMessage().contains("is damaged"), refused.getMessage());
      try (JournalRecovery recovery = JournalRecovery.open(group.directory(1))) {
        recovery.setAside();
      }
      startAll(group);
      assertContinues(group, 20);
      assertTrue(Files.exists(group.directory(1).resolve("journal.damaged").resolve(damaged.getFileName())));
    }
  }

  @Test
  void recordThatWasNeverSyncedIsCut() throws Exception {
    try (Group group = Group.withJournals(directory, 3)) {
      update(group, 10);
      stopAll(group);
      for (int number = 1; number <= 3; number++) {
        Path file = files(group.directory(number).resolve("journal")).get(0);
        // As a file system shows it after a loss of power: a length without its bytes.
        byte[] begun = new byte[number == 1 ? 9 : 70_000];
        Files.write(file, begun, StandardOpenOption.APPEND);
      }
      startAll(group);
      assertContinues(group, 10);
    }
  }

  /** The operator keeps what is readable at one replica, because all journals are damaged at the same place. */
  @Test
  void groupContinuesFromTheReadablePartOfADamagedJournal() throws Exception {
    try (Group group = Group.withJournals(directory, 3)) {
      update(group, 10);
      stopAll(group);
      startAll(group);
      group.awaitPrimary(3);
      stopAll(group);
      int keeping = 0;
      for (int number = 1; number <= 3; number++) {
        Path file = files(group.directory(number).resolve("journal")).get(0);
        byte[] bytes = Files.readAllBytes(file);
        // In the last of the updates, before the last view.
        bytes[bytes.length - 3_000] ^= 4;
        Files.write(file, bytes);
        int one = number;
        assertThrows(IOException.class, () -> group.start(one));
        try (JournalRecovery recovery = JournalRecovery.open(group.directory(number))) {
          String report = recovery.report();
          Matcher choice = Pattern.compile("keep ([0-9]+) view=([0-9]+) ").matcher(report);
          // A replica that joined the last view may have its state in a damaged checkpoint.
          if (keeping == 0 && choice.find()) {
            keeping = number;
            recovery.keep(Long.parseLong(choice.group(1)), Long.parseLong(choice.group(2)));
          } else {
            recovery.setAside();
          }
        }
      }
      assertTrue(keeping > 0, "One replica has the updates.");
      startAll(group);
      int primary = group.awaitPrimary(3);
      assertEquals(STATE_BYTES + 9, group.replicas.get(primary).state("counter").length);
      assertEquals(Reply.Status.EXECUTED, ((Reply) ask(group, key(10), STATE_BYTES)).status());
      Condition.await("equal states", () -> group.replicas.values().stream().map(Replica::digest).distinct().count() == 1);
    }
  }

  @Test
  void groupWithoutJournalsStartsEmptyWhenAllAgree() throws Exception {
    try (Group group = new Group(directory, 3)) {
      update(group, 3);
      long epoch = group.replicas.get(1).view().epoch();
      stopAll(group);
      group.startsEmpty = true;
      startAll(group);
      int primary = group.awaitPrimary(3);
      assertNull(group.replicas.get(primary).state("counter"));
      assertTrue(group.replicas.get(primary).view().epoch() > epoch, "Epochs go on.");
      Failure expired = (Failure) ask(group, key(3), 1);
      assertEquals(FailureCode.SessionExpired, expired.code());
      update(group, 2);
      Condition.await("equal states", () -> group.replicas.values().stream().map(Replica::digest).distinct().count() == 1);
    }
  }

  @Test
  void groupStartsEmptyAfterItsReplicasStoppedOneAfterAnother() throws Exception {
    try (Group group = new Group(directory, 3)) {
      group.startsEmpty = true;
      update(group, 3);
      group.stop(1);
      ReplicaId first = new ReplicaId(1);
      Condition.await("a view without replica 1", () -> !group.replicas.get(3).view().contains(first));
      group.stop(2);
      group.stop(3);
      startAll(group);
      group.awaitPrimary(3);
      update(group, 2);
    }
  }

  @Test
  void replicaThatHasTheStateDoesNotStartEmpty() throws Exception {
    try (Group group = new Group(directory, 3)) {
      group.startsEmpty = true;
      update(group, 3);
      int primary = group.awaitPrimary(3);
      for (int number = 1; number <= 3; number++) {
        if (number != primary) {
          group.stop(number);
        }
      }
      for (int number = 1; number <= 3; number++) {
        if (number != primary) {
          group.start(number);
        }
      }
      assertContinues(group, 3);
    }
  }

  private static List<Path> files(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.sorted().toList();
    }
  }
}
