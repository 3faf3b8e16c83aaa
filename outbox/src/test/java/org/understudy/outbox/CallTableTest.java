package org.understudy.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.soap.envelope.SoapVersion;

/** The order and the time at which calls are sent, on virtual time. */
class CallTableTest {
  private static final int LIMIT = 10;
  private static final long ALL_STABLE = Long.MAX_VALUE;

  private final CallTable table = new CallTable();
  private long now = -3;

  private static String id(long index, int place) {
    return String.format("%016x%04x", index, place);
  }

  private static byte[] call(String host) {
    return new StoredCall(
        List.of(URI.create("http://" + host + "/")), false, SoapVersion.SOAP11, "", "urn:id", "", "", new byte[100]).encode();
  }

  private void add(long index, int place, String host) {
    table.apply(Keys.CALLS + id(index, place), call(host), false);
  }

  private void answer(String id) {
    table.apply(Keys.REPLIES + id, new StoredReply(OutgoingReply.Kind.RESULT, new byte[0], "").encode(), false);
  }

  private void remove(String id) {
    table.apply(Keys.CALLS + id, null, false);
    table.apply(Keys.REPLIES + id, null, false);
  }

  private static List<String> ids(List<CallTable.Task> tasks) {
    return tasks.stream().map(CallTable.Task::id).toList();
  }

  private List<CallTable.Task> send() {
    return table.toSend(now, ALL_STABLE, LIMIT);
  }

  private void advance(long ms) {
    now += TimeUnit.MILLISECONDS.toNanos(ms);
  }

  @Test
  void eachDestinationGetsOneCallAtATimeInTheOrderOfTheUpdates() {
    add(16, 1, "one");
    add(9, 0, "one");
    add(16, 0, "one");
    add(12, 0, "two");
    CallTable.Task first = send().get(0);
    assertEquals(id(9, 0), first.id());
    assertEquals(List.of(), send());
    remove(first.id());
    assertEquals(List.of(), send(), "not before the answer is stable");
    first.finished();
    CallTable.Task second = send().get(0);
    assertEquals(id(16, 0), second.id());
    answer(second.id());
    second.finished();
    assertEquals(List.of(id(16, 1)), ids(send()));
  }

  @Test
  void aDestinationSendsNoCallWhileAnAnswerIsBeingStored() {
    add(1, 0, "one");
    CallTable.Task first = send().get(0);
    remove(first.id());
    add(2, 0, "one");
    assertEquals(List.of(), send());
    first.finished();
    assertEquals(List.of(id(2, 0)), ids(send()));
  }

  @Test
  void destinationsDoNotWaitForEachOther() {
    add(1, 0, "one");
    add(2, 0, "two");
    assertEquals(List.of(id(1, 0), id(2, 0)), ids(send()));
  }

  @Test
  void aCallIsNotSentBeforeItIsStable() {
    add(5, 0, "one");
    assertEquals(List.of(), table.toSend(now, 4, LIMIT));
    assertEquals(List.of(id(5, 0)), ids(table.toSend(now, 5, LIMIT)));
  }

  @Test
  void callsInFlightAreLimited() {
    for (int i = 0; i < 5; i++) {
      add(1, i, "host" + i);
    }
    List<CallTable.Task> two = table.toSend(now, ALL_STABLE, 2);
    assertEquals(2, two.size());
    assertEquals(List.of(), table.toSend(now, ALL_STABLE, 2));
    two.get(0).failed(now, true, 0);
    assertEquals(1, table.toSend(now, ALL_STABLE, 2).size());
  }

  @Test
  void pausesDoubleUpToTheLimit() {
    add(1, 0, "one");
    long[] pauses = {200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000};
    for (int i = 0; i < pauses.length; i++) {
      CallTable.Task task = send().get(0);
      assertEquals(i + 1, task.failed(now, i % 2 == 0, 0));
      advance(pauses[i] - 1);
      assertEquals(List.of(), send());
      advance(1);
    }
    assertEquals(5, send().get(0).attempts(), "counted failures");
  }

  @Test
  void aDestinationCanRequestALongerPause() {
    add(1, 0, "one");
    send().get(0).failed(now, true, TimeUnit.SECONDS.toNanos(3));
    advance(2_999);
    assertEquals(List.of(), send());
    advance(1);
    CallTable.Task task = send().get(0);
    task.failed(now, true, TimeUnit.DAYS.toNanos(3));
    advance(30_000);
    assertEquals(1, send().size(), "the requested pause is limited");
  }

  @Test
  void anErrorInAStepOfACallLetsItBeSentAgain() {
    add(1, 0, "one");
    CallTable.Task task = send().get(0);
    OutboxThread.attempt(
        task,
        () -> {
          throw new StackOverflowError("the test's");
        });
    assertEquals(1, task.failures());
    assertEquals(0, task.attempts());
    assertEquals(List.of(task.id()), ids(table.toSend(System.nanoTime() + TimeUnit.SECONDS.toNanos(1), ALL_STABLE, LIMIT)));
  }

  @Test
  void aDeadLetterLetsTheOthersPass() {
    add(1, 0, "one");
    add(2, 0, "one");
    CallTable.Task first = send().get(0);
    table.apply(Keys.DEAD + first.id(), new DeadLetter(3, "poison").encode(), false);
    first.finished();
    assertEquals(List.of(first.id()), List.copyOf(table.deadLetters().keySet()));
    CallTable.Task second = send().get(0);
    assertEquals(id(2, 0), second.id());
    remove(second.id());
    second.finished();
    assertEquals(List.of(), send());
  }

  @Test
  void attemptsOfOneCallDoNotCountForTheNext() {
    add(1, 0, "one");
    add(2, 0, "one");
    CallTable.Task first = send().get(0);
    first.failed(now, true, 0);
    remove(first.id());
    assertEquals(0, send().get(0).attempts());
    assertFalse(first.isCurrent());
  }

  @Test
  void repliesAreDeliveredOneAtATimeInOrder() {
    add(1, 0, "one");
    add(2, 0, "one");
    answer(id(2, 0));
    answer(id(1, 0));
    CallTable.Task first = table.toTake(now, LIMIT).get(0);
    assertEquals(id(1, 0), first.id());
    assertEquals(List.of(), table.toTake(now, LIMIT));
    first.failed(now, true, 0);
    assertEquals(List.of(), table.toTake(now, LIMIT));
    advance(200);
    assertEquals(List.of(first.id()), ids(table.toTake(now, LIMIT)));
    remove(first.id());
    first.finished();
    assertEquals(List.of(id(2, 0)), ids(table.toTake(now, LIMIT)));
  }

  @Test
  void partsOfACallArriveInAnyOrder() {
    answer(id(1, 0));
    assertTrue(table.isEmpty());
    add(1, 0, "one");
    assertEquals(List.of(), send());
    assertEquals(1, table.answered());
    table.apply(Keys.DEAD + id(2, 0), new DeadLetter(1, "poison").encode(), false);
    assertEquals(0, table.dead());
    add(2, 0, "one");
    assertEquals(1, table.dead());
    assertEquals(0, table.waiting());
  }

  @Test
  void bytesCountWhileCallsWait() {
    add(1, 0, "one");
    add(2, 0, "one");
    int one = call("one").length;
    assertEquals(2L * one, table.waitingBytes("http://one/"));
    assertEquals(0, table.waitingBytes("http://two/"));
    answer(id(1, 0));
    assertEquals(one, table.waitingBytes("http://one/"));
    remove(id(2, 0));
    remove(id(1, 0));
    assertEquals(0, table.waitingBytes("http://one/"));
    assertTrue(table.isEmpty());
  }

  @Test
  void tasksAreCancelledWhenTheDutyEnds() {
    add(1, 0, "one");
    CallTable.Task task = send().get(0);
    assertTrue(task.isCurrent());
    table.stop();
    assertFalse(task.isCurrent());
    CallTable.Task again = send().get(0);
    task.finished();
    assertTrue(again.isCurrent(), "an old task does not end a new one");
  }

  @Test
  void aResetRemovesAllCallsAndTasks() {
    add(1, 0, "one");
    CallTable.Task task = send().get(0);
    table.clear();
    assertFalse(task.isCurrent());
    assertTrue(table.isEmpty());
    add(1, 0, "one");
    assertEquals(List.of(id(1, 0)), ids(send()));
  }

  @Test
  void aFailureSelectsTheNextAddress() {
    add(1, 0, "one");
    CallTable.Task task = send().get(0);
    int first = task.address(3);
    task.failed(now, false, 0);
    advance(200);
    assertEquals((first + 1) % 3, send().get(0).address(3));
  }

  private CallTable.Task certain(boolean certain) {
    table.apply(Keys.CALLS + id(1, 0), call("one"), certain);
    return send().get(0);
  }

  @Test
  void aCallIsCertainOnlyIfNoOtherReplicaCanHaveSentIt() {
    assertFalse(certain(false).isCertain());
    table.clear();
    CallTable.Task task = certain(true);
    assertTrue(task.isCertain());
    task.failed(now, true, 0);
    advance(200);
    assertTrue(send().get(0).isCertain(), "a rejected attempt leaves the call certain");
    task.markUncertain();
    assertFalse(task.isCertain());
  }

  @Test
  void noCallIsCertainOnceTheDutyHasEnded() {
    CallTable.Task task = certain(true);
    table.stop();
    assertFalse(send().get(0).isCertain());
    assertFalse(task.isCertain());
  }

  @Test
  void aSessionUnusedForTenMinutesIsClosed() {
    String key = Keys.session("http://one/");
    assertEquals(List.of(), table.closeUnusedSessions(now));
    table.apply(key, new GroupSession("s", 1).encode(), false);
    add(1, 0, "one");
    for (int minute = 0; minute < 20; minute++) {
      assertEquals(List.of(), table.closeUnusedSessions(now));
      advance(60_000);
    }
    remove(id(1, 0));
    for (int minute = 0; minute < 10; minute++) {
      assertEquals(List.of(), table.closeUnusedSessions(now));
      advance(60_000);
    }
    assertFalse(table.isClosing("http://one/"));
    assertEquals(List.of(key), table.closeUnusedSessions(now));
    assertTrue(table.isClosing("http://one/"));
    table.keepSession(key);
    assertFalse(table.isClosing("http://one/"));
    advance(60_000);
    assertEquals(List.of(), table.closeUnusedSessions(now));
    table.apply(key, null, false);
    assertNull(table.session("http://one/"));
  }
}
