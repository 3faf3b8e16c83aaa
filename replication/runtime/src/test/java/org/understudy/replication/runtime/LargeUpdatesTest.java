package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.runtime.peer.FrameSizes;
import org.understudy.test.Condition;

/** Updates larger than a frame, over real sockets; all sizes are a thousandth of the defaults. */
class LargeUpdatesTest {
  private static final FrameSizes SMALL = new FrameSizes(96 << 10, 48 << 10, 8 << 10, 128 << 10);
  private static final int UPDATE_BYTES = 10_000;
  private static final int UPDATES = 120;

  @TempDir Path directory;

  private SessionId session;

  private RequestKey request(int sequence) {
    return new RequestKey.OfSession(session, sequence);
  }

  @Test
  void silentLinkLosesNoUpdateAndNoMember() throws Exception {
    try (Group group = new Group(directory, 3, Duration.ofSeconds(10), SMALL)) {
      int primary = group.awaitPrimary(3);
      session = group.openSession(primary);
      group.channels.get(primary).cut(true);
      List<CompletableFuture<Object>> answers = new ArrayList<>();
      for (int i = 1; i <= UPDATES; i++) {
        answers.add(group.submit(primary, request(i), Request.Kind.UPDATE, UPDATE_BYTES + i));
      }
      group.channels.get(primary).cut(false);
      for (CompletableFuture<Object> answer : answers) {
        assertInstanceOf(Reply.class, answer.get(60, TimeUnit.SECONDS));
      }
      assertEquals(primary, group.awaitPrimary(3));
      Condition.await(
          "every replica to have the last update",
          () -> group.replicas.values().stream()
              .allMatch(replica -> replica.state("counter").length == UPDATE_BYTES + UPDATES));
    }
  }

  @Test
  void joinerReceivesStateLargerThanAFrame() throws Exception {
    try (Group group = new Group(directory, 3, Duration.ofSeconds(2), SMALL)) {
      int primary = group.awaitPrimary(3);
      int joiner = primary == 3 ? 2 : 3;
      session = group.openSession(primary);
      group.stop(joiner);
      group.awaitPrimary(2);
      List<CompletableFuture<Object>> answers = new ArrayList<>();
      for (int i = 1; i <= UPDATES; i++) {
        answers.add(group.submit(primary, request(i), Request.Kind.UPDATE, UPDATE_BYTES + i));
      }
      group.start(joiner);
      for (CompletableFuture<Object> answer : answers) {
        assertInstanceOf(Reply.class, answer.get(60, TimeUnit.SECONDS));
      }
      group.awaitPrimary(3);
      // Which is not the last one that was submitted if a run of it was undone for the joiner, and repeated.
      byte[] last = group.replicas.get(primary).state("counter");
      assertTrue(last.length > UPDATE_BYTES && last.length <= UPDATE_BYTES + UPDATES, last.length + " bytes");
      Condition.await(
          "the joiner to have the last update", () -> Arrays.equals(last, group.replicas.get(joiner).state("counter")));
    }
  }

  @Test
  void tooLargeUpdateIsRolledBackAndNotRetried() throws Exception {
    try (Group group = new Group(directory, 3, Duration.ofSeconds(2), SMALL)) {
      int primary = group.awaitPrimary(3);
      session = group.openSession(primary);
      Failure failure =
          assertInstanceOf(
              Failure.class, group.ask(primary, request(1), Request.Kind.UPDATE, SMALL.updateBytes()));
      assertEquals(FailureCode.TooLarge, failure.code(), failure.sentence());
      assertNull(group.replicas.get(primary).state("counter"));
      // A smaller state would fit, but the request has its answer.
      failure = assertInstanceOf(Failure.class, group.ask(primary, request(1), Request.Kind.UPDATE, 10));
      assertEquals(FailureCode.TooLarge, failure.code());
      assertInstanceOf(Reply.class, group.ask(primary, request(2), Request.Kind.UPDATE, 10));
      assertEquals(primary, group.awaitPrimary(3));
    }
  }
}
