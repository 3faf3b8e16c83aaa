package org.understudy.outbox;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.state.AppliedState;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;

/** What an operator decides, and in what order calls are sent then. Updates are stable at once. */
class DeadLettersTest {
  private static final String GROUP = "grouphttp://one/";

  private final Map<String, byte[]> state = new TreeMap<>();
  private final CallTable table = new CallTable();
  private final Resources resources =
      new Resources(
          new AppliedState() {
            @Override
            public byte[] state(String resource) {
              return state.get(resource);
            }

            @Override
            public long stateVersion(String resource) {
              return updates;
            }

            @Override
            public long version(String resource) {
              return updates;
            }
          },
          true, () -> null, "http://here/services/Shop", 1);
  private final DeadLetters letters = new DeadLetters(table, this::run, true);
  private long updates;
  /** What comes first in the log. */
  private Runnable before = () -> {};

  private void run(String key, Predicate<ResourceTransaction> update, Runnable done, Consumer<Failure> failed) {
    before.run();
    ResourceTransaction transaction = resources.transaction(key, false);
    if (!update.test(transaction)) {
      done.run();
      return;
    }
    updates++;
    List<StateChange> changes = transaction.capture(false);
    for (int i = 0; i < changes.size(); i++) {
      String id = changes.get(i).resource();
      note(
          id.endsWith(StateChange.NUMBERED) ? Keys.CALLS + String.format("%016x%04x", updates, i) : id, changes.get(i).state());
    }
    done.run();
  }

  private void note(String key, byte[] value) {
    if (value == null) {
      state.remove(key);
    } else {
      state.put(key, value);
    }
    table.apply(key, value, false);
  }

  /** An operation that calls a group. */
  private String call(String messageId) {
    byte[] call =
        new StoredCall(
            List.of(URI.create("http://one/")), true, SoapVersion.SOAP11, "", messageId, "", "",
            messageId.getBytes(StandardCharsets.UTF_8)).encode();
    run(
        null,
        transaction -> {
          transaction.append(Keys.LOG, call);
          return true;
        },
        () -> {}, failure -> {});
    return String.format("%016x%04x", updates, 0);
  }

  private CallTable.Task send(long now) {
    List<CallTable.Task> due = table.toSend(now, Long.MAX_VALUE, 10);
    assertEquals(1, due.size());
    return due.get(0);
  }

  private void bury(CallTable.Task task) {
    note(Keys.DEAD + task.id(), new DeadLetter(3, "poison").encode());
    task.finished();
  }

  @Test
  void aRetriedCallDoesNotTakeTheNumberOfTheOneThatIsUnderWay() {
    call("urn:1");
    String second = call("urn:2");
    call("urn:3");
    note(Keys.session(GROUP), new GroupSession("s", 7).encode());
    CallTable.Task first = send(0);
    bury(first);
    CallTable.Task underWay = send(0);
    assertEquals(second, underWay.id());
    // The group may have executed it as number 7: nothing else may be sent under that number.
    underWay.markUncertain();
    underWay.failed(0, true, 0);
    assertTrue(letters.retry("urn:1").isDone());
    assertEquals(List.of(), letters.list());
    CallTable.Task again = send(Long.MAX_VALUE / 2);
    assertEquals("urn:2", StoredCall.decode(again.call()).messageId());
    assertEquals(1, again.failures(), "what is known about its attempts is kept");
    note(Keys.CALLS + second, null);
    again.finished();
    CallTable.Task third = send(Long.MAX_VALUE / 2);
    assertEquals("urn:3", StoredCall.decode(third.call()).messageId());
    note(Keys.CALLS + third.id(), null);
    third.finished();
    CallTable.Task last = send(Long.MAX_VALUE / 2);
    assertArrayEquals(first.call(), last.call());
    assertNotEquals(first.id(), last.id());
    assertNull(state.get(Keys.CALLS + first.id()));
    assertEquals(0, last.attempts());
  }

  @Test
  void aReplyThatTheServiceFailedToTakeIsGivenAgain() {
    String id = call("urn:1");
    note(Keys.REPLIES + id, new StoredReply(OutgoingReply.Kind.RESULT, new byte[0], "").encode());
    CallTable.Task taking = table.toTake(0, 10).get(0);
    bury(taking);
    assertTrue(letters.retry("urn:1").isDone());
    assertEquals(id, table.toTake(0, 10).get(0).id());
    assertNotNull(state.get(Keys.CALLS + id));
  }

  /** Both have listed it. */
  @Test
  void oneOfTwoOperatorsDecides() {
    call("urn:1");
    bury(send(0));
    before = () -> {
      before = () -> {};
      assertFalse(letters.retry("urn:1").isCompletedExceptionally());
    };
    CompletableFuture<Void> dropped = letters.drop("urn:1");
    assertTrue(dropped.isCompletedExceptionally());
    assertEquals("urn:1", StoredCall.decode(send(Long.MAX_VALUE / 2).call()).messageId(), "it is sent again");
  }
}
