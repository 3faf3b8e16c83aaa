package org.understudy.replication.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateUpdate;

/** What the table keeps and evicts, and that a transferred table equals the original. */
class ReplyTableTest {
  private static final RequestKey.OfNonce NONCE = new RequestKey.OfNonce(7, 8);
  private static final SessionId SESSION = new SessionId(1, 2);
  private static final long OWNER = 5;

  private final ReplyTable table = new ReplyTable();
  private long index;

  private static Response bytes(int size) {
    return new Response((byte) 1, new byte[size]);
  }

  private static StateUpdate update(
      long index, Request.Kind kind, RequestKey key, long ackBelow, long owner, Outcome outcome, Eviction eviction) {
    return new StateUpdate(index, kind, key, 100 + index, ackBelow, "alice", owner, outcome, List.of(), eviction);
  }

  private StateUpdate apply(Request.Kind kind, RequestKey key, long ackBelow, Outcome outcome, Eviction eviction) {
    StateUpdate update = update(++index, kind, key, ackBelow, OWNER, outcome, eviction);
    table.apply(update, true);
    return update;
  }

  private void open(SessionId id, RequestKey.OfNonce nonce) {
    apply(Request.Kind.OPEN_SESSION, nonce, 0, new Response((byte) 0, id.toBytes()), Eviction.NONE);
  }

  private StateUpdate call(long sequence, long ackBelow, Outcome outcome) {
    return apply(
        Request.Kind.UPDATE, new RequestKey.OfSession(SESSION, sequence), ackBelow, outcome, Eviction.NONE);
  }

  private StateUpdate message(long id, Outcome outcome, Eviction eviction) {
    return apply(Request.Kind.UPDATE, new RequestKey.OfMessageId(id, id), 0, outcome, eviction);
  }

  private StoredReply find(long sequence) {
    return table.find(new RequestKey.OfSession(SESSION, sequence));
  }

  @Test
  void replyIsKeptUntilAcknowledged() {
    open(SESSION, NONCE);
    StateUpdate first = call(1, 1, bytes(10));
    call(2, 1, bytes(20));
    assertEquals(new StoredReply(first.digest(), first.index(), first.outcome()), find(1));
    call(3, 2, bytes(30));
    assertNull(find(1), "acknowledged");
    assertNotNull(find(2), "not acknowledged: AckBelow is exclusive");
    assertEquals(2, table.ackBelow(SESSION));
    assertEquals(2, table.kept(SESSION, 0));
    assertEquals(1, table.kept(SESSION, 3));
    assertEquals(StoredReply.bytes(bytes(20)), table.acknowledgedBytes(SESSION, 3));
    assertEquals(StoredReply.bytes(bytes(20)) + StoredReply.bytes(bytes(30)), table.keptBytes(SESSION));
  }

  @Test
  void ackBelowNeverDecreasesAndLateRequestsBelowItAreNotStored() {
    open(SESSION, NONCE);
    call(5, 5, bytes(1));
    call(6, 2, bytes(1));
    assertEquals(5, table.ackBelow(SESSION), "an overtaken request bears an older AckBelow");
    call(4, 5, bytes(1_000));
    assertNull(find(4));
    assertEquals(2 * StoredReply.bytes(bytes(1)), table.replyBytes(), "what is not kept weighs nothing");
  }

  @Test
  void closedSessionReleasesItsResources() {
    open(SESSION, NONCE);
    call(1, 1, bytes(100));
    assertEquals(SESSION, table.opened(NONCE));
    assertEquals(1, table.sessionShares().total());
    apply(Request.Kind.CLOSE_SESSION, new RequestKey.OfSession(SESSION, 2), 0, Response.EMPTY, Eviction.NONE);
    assertFalse(table.knows(SESSION));
    assertNull(table.opened(NONCE), "the nonce opens another session next time");
    assertNull(find(1));
    assertEquals(0, table.sessionShares().total());
    assertEquals(0, table.replyShares().total());
    assertEquals(0, table.replyBytes());
    call(3, 1, bytes(100));
    assertFalse(table.knows(SESSION), "a request of the ended session that was under way opens nothing");
    assertEquals(0, table.replyBytes());
    assertEquals(List.of(), table.items());
  }

  @Test
  void failedOpenCreatesNoSession() {
    Failure failure = new Failure(FailureCode.Overloaded, "no");
    apply(Request.Kind.OPEN_SESSION, NONCE, 0, failure, Eviction.NONE);
    apply(Request.Kind.OPEN_SESSION, NONCE, 0, bytes(15), Eviction.NONE);
    assertEquals(0, table.sessions());
    assertNull(table.opened(NONCE));
  }

  @Test
  void sessionOpenedTwiceKeepsRepliesAndCountsOnce() {
    open(SESSION, NONCE);
    StateUpdate first = call(1, 1, bytes(10));
    open(SESSION, NONCE);
    assertEquals(first.index(), find(1).index());
    assertEquals(1, table.sessionShares().total());
  }

  @Test
  void evictedReplyKeepsItsIdentity() {
    StateUpdate first = message(1, bytes(10), Eviction.NONE);
    StateUpdate failed = message(2, new Failure(FailureCode.ExecutionFailed, "broken"), Eviction.NONE);
    StateUpdate third = message(3, bytes(30), new Eviction(0, failed.index()));
    StoredReply discarded = table.find(first.key());
    assertEquals(FailureCode.ReplyDiscarded, ((Failure) discarded.outcome()).code());
    assertEquals(first.digest(), discarded.digest(), "another body under this id is still a mismatch");
    assertEquals(first.index(), discarded.index());
    assertEquals(
        FailureCode.ExecutionFailed, ((Failure) table.find(failed.key()).outcome()).code(), "it did not execute");
    assertSame(third.outcome(), table.find(third.key()).outcome(), "the update that evicts keeps its own reply");
    assertEquals(StoredReply.bytes(bytes(30)), table.messageReplyBytes());
    assertEquals(3, table.identityShares().total());
  }

  @Test
  void evictedIdentityRemovesItsReply() {
    StateUpdate first = message(1, bytes(10), Eviction.NONE);
    StateUpdate second = message(2, bytes(20), Eviction.NONE);
    message(3, bytes(30), new Eviction(first.index(), 0));
    assertNull(table.find(first.key()));
    assertNotNull(table.find(second.key()));
    assertEquals(second.index(), table.oldestIdentity());
    assertEquals(StoredReply.bytes(bytes(20)) + StoredReply.bytes(bytes(30)), table.messageReplyBytes());
    message(4, bytes(1), new Eviction(1_000, 0));
    assertEquals(4, table.oldestIdentity(), "what is evicted came before the update that evicts");
  }

  @Test
  void evictedIdentityIsTreatedAsNew() {
    StateUpdate first = message(1, bytes(10), Eviction.NONE);
    message(2, bytes(20), new Eviction(first.index(), 0));
    StateUpdate again = message(1, bytes(40), Eviction.NONE);
    assertEquals(again.index(), table.find(first.key()).index());
    StateUpdate last = message(3, bytes(1), new Eviction(again.index() - 1, 0));
    assertNotNull(table.find(again.key()), "it counts from when it came again");
    assertEquals(again.index(), table.oldestIdentity());
    assertEquals(StoredReply.bytes(bytes(40)) + StoredReply.bytes((Response) last.outcome()), table.messageReplyBytes());
  }

  @Test
  void evictsOldestRepliesUntilEnoughIsFree() {
    assertEquals(0, table.repliesToFree(1), "there are none");
    long one = StoredReply.bytes(bytes(10));
    for (int i = 1; i <= 5; i++) {
      message(i, bytes(10), Eviction.NONE);
    }
    assertEquals(0, table.repliesToFree(0));
    assertEquals(1, table.repliesToFree(1));
    assertEquals(1, table.repliesToFree(one));
    assertEquals(2, table.repliesToFree(one + 1));
    assertEquals(5, table.repliesToFree(Long.MAX_VALUE));
    table.discardReplies(2);
    assertEquals(3, table.repliesToFree(1));
  }

  @Test
  void unknownSessionHasNoState() {
    assertNull(find(1));
    assertNull(table.principal(SESSION));
    assertEquals(0, table.ackBelow(SESSION));
    assertEquals(0, table.kept(SESSION, 0));
    assertEquals(0, table.owner(SESSION));
    assertEquals(Long.MAX_VALUE, table.oldestIdentity());
    assertNull(table.find(NONCE), "a nonce has a session, not a reply");
  }

  /** Random histories of updates, compared with linearly searched maps; every hundredth step transfers the table. */
  @Test
  void restoredTableEqualsTheOriginalAfterFurtherUpdates() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      ReplyTable original = new ReplyTable();
      ReplyTable transferred = new ReplyTable();
      Twin twin = new Twin();
      for (long at = 1; at <= 1_500; at++) {
        StateUpdate update = randomUpdate(random, at);
        original.apply(update, true);
        transferred.apply(update, true);
        twin.apply(update);
        if (at % 100 == 0) {
          List<Object> items = comparable(original);
          assertEquals(items, comparable(transferred), "seed " + seed + ", update " + at);
          transferred = new ReplyTable();
          original.items().forEach(transferred::restore);
          assertEquals(items, comparable(transferred), "restored; seed " + seed + ", update " + at);
          twin.check(original, "original; seed " + seed + ", update " + at);
          twin.check(transferred, "transferred; seed " + seed + ", update " + at);
        }
      }
    }
  }

  private static List<Object> comparable(ReplyTable table) {
    return table.items().stream()
        .<Object>map(item -> item instanceof Item.Identities some ? Arrays.toString(some.words()) : item)
        .toList();
  }

  private static StateUpdate randomUpdate(Random random, long at) {
    long owner = random.nextInt(3);
    Outcome outcome =
        random.nextInt(6) == 0 ? new Failure(FailureCode.ExecutionFailed, "it broke") : bytes(random.nextInt(50));
    Eviction eviction =
        random.nextInt(10) == 0
            ? new Eviction(Math.max(0, at - 200 - random.nextInt(200)), Math.max(0, at - 1 - random.nextInt(150)))
            : Eviction.NONE;
    RequestKey.OfNonce nonce = new RequestKey.OfNonce(0, random.nextInt(8));
    SessionId session = new SessionId(9, nonce.low());
    int kind = random.nextInt(20);
    if (kind == 0) {
      Response id = new Response((byte) 0, session.toBytes());
      return update(at, Request.Kind.OPEN_SESSION, nonce, 0, owner, id, eviction);
    }
    if (kind == 1) {
      RequestKey key = new RequestKey.OfSession(session, at);
      return update(at, Request.Kind.CLOSE_SESSION, key, 0, owner, Response.EMPTY, eviction);
    }
    if (kind < 11) {
      RequestKey key = new RequestKey.OfSession(session, at + random.nextInt(5));
      return update(at, Request.Kind.UPDATE, key, at - random.nextInt(60), owner, outcome, eviction);
    }
    // Each message id once: a duplicate of a kept identity never becomes an update.
    return update(at, Request.Kind.UPDATE, new RequestKey.OfMessageId(at, -at), 0, owner, outcome, eviction);
  }

  /** All replies of open sessions, and all message ids with the index up to which they are evicted. */
  private static final class Twin {
    private record Open(RequestKey.OfNonce nonce, long owner, Map<Long, StateUpdate> calls, long[] ackBelow) {}

    private final Map<SessionId, Open> sessions = new TreeMap<>();
    private final Map<RequestKey.OfMessageId, StateUpdate> messages = new LinkedHashMap<>();
    private long identitiesUpTo;
    private long repliesUpTo;

    void apply(StateUpdate update) {
      identitiesUpTo = Math.max(identitiesUpTo, update.eviction().identitiesUpTo());
      repliesUpTo = Math.max(repliesUpTo, update.eviction().repliesUpTo());
      if (update.key() instanceof RequestKey.OfNonce nonce) {
        SessionId id = SessionId.ofBytes(((Response) update.outcome()).body());
        sessions.putIfAbsent(id, new Open(nonce, update.owner(), new TreeMap<>(), new long[1]));
      } else if (update.key() instanceof RequestKey.OfSession of && update.kind() == Request.Kind.CLOSE_SESSION) {
        sessions.remove(of.session());
      } else if (update.key() instanceof RequestKey.OfSession of && sessions.containsKey(of.session())) {
        Open open = sessions.get(of.session());
        open.ackBelow[0] = Math.max(open.ackBelow[0], update.ackBelow());
        open.calls.keySet().removeIf(sequence -> sequence < open.ackBelow[0]);
        if (of.sequence() >= open.ackBelow[0]) {
          open.calls.put(of.sequence(), update);
        }
      } else if (update.key() instanceof RequestKey.OfMessageId of) {
        messages.put(of, update);
      }
    }

    void check(ReplyTable table, String when) {
      assertEquals(new ArrayList<>(sessions.keySet()), table.sessionIds(), when);
      assertEquals(sessions.size(), table.sessionShares().total(), when);
      long bytes = 0;
      for (Map.Entry<SessionId, Open> entry : sessions.entrySet()) {
        Open open = entry.getValue();
        assertEquals(entry.getKey(), table.opened(open.nonce), when);
        assertEquals(open.owner, table.owner(entry.getKey()), when);
        assertEquals(open.ackBelow[0], table.ackBelow(entry.getKey()), when);
        assertEquals(open.calls.size(), table.kept(entry.getKey(), 0), when);
        for (Map.Entry<Long, StateUpdate> call : open.calls.entrySet()) {
          StoredReply reply = table.find(new RequestKey.OfSession(entry.getKey(), call.getKey()));
          assertEquals(call.getValue().outcome(), reply.outcome(), when);
          bytes += reply.bytes();
        }
      }
      assertEquals(bytes, table.replyShares().total(), when);
      long identities = 0;
      long replies = 0;
      for (Map.Entry<RequestKey.OfMessageId, StateUpdate> entry : messages.entrySet()) {
        StateUpdate update = entry.getValue();
        StoredReply reply = table.find(entry.getKey());
        if (update.index() <= identitiesUpTo) {
          assertNull(reply, when);
          continue;
        }
        identities++;
        assertEquals(update.digest(), reply.digest(), when);
        assertEquals(update.index(), reply.index(), when);
        if (update.index() > repliesUpTo) {
          assertEquals(update.outcome(), reply.outcome(), when);
          replies += reply.bytes();
        } else {
          assertEquals(update.outcome() instanceof Failure, isFailed(reply), when);
        }
      }
      assertEquals(identities, table.identityShares().total(), when);
      assertEquals(replies, table.messageReplyBytes(), when);
      assertTrue(table.replyBytes() == bytes + replies, when);
    }

    private static boolean isFailed(StoredReply reply) {
      return ((Failure) reply.outcome()).code() == FailureCode.ExecutionFailed;
    }
  }
}
