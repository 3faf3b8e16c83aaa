package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.test.Condition;

/** An exception in a step halts its replica, and the group loses no update and executes none twice. */
class HaltTest {
  @TempDir Path directory;

  @Test
  void errorBetweenLogAndReplyHaltsThePrimary() throws Exception {
    try (Group group = new Group(directory, 3)) {
      int first = group.awaitPrimary(3);
      RequestKey request = new RequestKey.OfSession(group.openSession(first), 1);
      group.faults.get(first).failAt("commit", new OutOfMemoryError("put in by the test"));
      Failure failure = assertInstanceOf(Failure.class, group.ask(first, request, Request.Kind.UPDATE, 5));
      assertEquals(FailureCode.OutcomeUnknown, failure.code(), failure.sentence());
      Replica halted = group.replicas.get(first);
      assertNotNull(halted.halted());
      assertEquals(false, halted.status().writable());
      Failure refused = assertInstanceOf(Failure.class, group.ask(first, request, Request.Kind.UPDATE, 5));
      assertEquals(FailureCode.NotReady, refused.code());
      int second = group.awaitPrimary(2);
      // Committed after it was sent: the others may hold it or not.
      Reply reply = assertInstanceOf(Reply.class, group.ask(second, request, Request.Kind.UPDATE, 7));
      int value = reply.status() == Reply.Status.REPLAYED ? 5 : 7;
      assertEquals(value, group.replicas.get(second).state("counter").length);
      assertInstanceOf(Reply.class, group.ask(second, request, Request.Kind.UPDATE, 9));
      assertEquals(value, group.replicas.get(second).state("counter").length, "executed once");
    }
  }

  @Test
  void errorBeforeSendingToBackupsHaltsThePrimary() throws Exception {
    try (Group group = new Group(directory, 3)) {
      int first = group.awaitPrimary(3);
      RequestKey request = new RequestKey.OfSession(group.openSession(first), 1);
      group.faults.get(first).failAt("execute", new StackOverflowError("put in by the test"));
      assertInstanceOf(Failure.class, group.ask(first, request, Request.Kind.UPDATE, 5));
      assertNotNull(group.replicas.get(first).halted());
      int second = group.awaitPrimary(2);
      assertInstanceOf(Reply.class, group.ask(second, request, Request.Kind.UPDATE, 7));
    }
  }

  @Test
  void errorInAReceivedMessageHaltsOnlyTheBackup() throws Exception {
    try (Group group = new Group(directory, 3)) {
      int primary = group.awaitPrimary(3);
      int backup = primary == 1 ? 2 : 1;
      RequestKey request = new RequestKey.OfSession(group.openSession(primary), 1);
      group.faults.get(backup).failAt("send", new OutOfMemoryError("put in by the test"));
      Reply reply = assertInstanceOf(Reply.class, group.ask(primary, request, Request.Kind.UPDATE, 5));
      assertEquals(Reply.Status.EXECUTED, reply.status());
      assertEquals(primary, group.awaitPrimary(2));
      assertNotNull(group.replicas.get(backup).halted());
    }
  }

  @Test
  void failedStoreHaltsTheReplica() throws Exception {
    try (Group group = new Group(directory, 3)) {
      int first = group.awaitPrimary(3);
      int second = first == 1 ? 2 : 1;
      // A directory blocks the path of the new record.
      java.nio.file.Files.createDirectories(directory.resolve("replica-" + second).resolve("membership.new/in-the-way"));
      group.stop(first);
      Condition.await("a replica that halts", () -> group.replicas.get(second).halted() != null);
      String why = group.replicas.get(second).halted();
      assertTrue(why.contains("membership record"), why);
    }
  }

  @Test
  void failingListenersHaltNoReplica() throws Exception {
    try (Group group = new Group(directory, 3)) {
      int first = group.awaitPrimary(3);
      group.replicas.values().forEach(replica -> replica.observe(new StateListener() {
        @Override
        public void onChange(String key, byte[] state) {
          throw new StackOverflowError("a listener's own trouble");
        }

        @Override
        public void onReset() {
          // The listener stores nothing.
        }
      }));
      RequestKey request = new RequestKey.OfSession(group.openSession(first), 1);
      assertInstanceOf(Reply.class, group.ask(first, request, Request.Kind.UPDATE, 5));
      group.replicas.values().forEach(replica -> assertNull(replica.halted()));
      assertEquals(3, group.replicas.get(first).view().members().size());
    }
  }

  @Test
  void callerThatFailsToExecuteGetsAnAnswer() throws Exception {
    try (Group group = new Group(directory, 3)) {
      int first = group.awaitPrimary(3);
      RequestKey request = new RequestKey.OfSession(group.openSession(first), 1);
      TestCall call =
          new TestCall(
              token -> {
                throw new StackOverflowError("a service's own trouble");
              });
      group.replicas.get(first).submit(
          new Request(request, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, ""),
          call);
      assertInstanceOf(Failure.class, call.answer.get(30, TimeUnit.SECONDS));
      assertInstanceOf(Reply.class, group.ask(first, request, Request.Kind.UPDATE, 5));
    }
  }
}
