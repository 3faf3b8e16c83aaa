package org.understudy.replication.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Three replicas without a primary: each executes, a total order delivers, and an execution that read a stale state runs
 * again.
 */
class CertifiedOrderTest {
  private static final String COUNTER = "counter";

  private final List<Node> nodes = new ArrayList<>();
  private final ArrayDeque<Proposal> order = new ArrayDeque<>();
  /** A reply or a failure, by token. */
  private final Map<Long, Object> answers = new TreeMap<>();
  private long tokens;
  private long now;

  private record Proposal(int from, StateUpdate update, Map<String, Long> versions) {}

  CertifiedOrderTest() {
    for (int i = 0; i < 3; i++) {
      nodes.add(new Node(i));
    }
  }

  /** A complete strategy that certifies, without views and joiners. */
  private final class Node implements Agreement, Effects {
    private final int number;
    private final ExactlyOnce requests;
    private final ArrayDeque<Execution> mine = new ArrayDeque<>();
    private final Map<String, Long> versions = new TreeMap<>();
    private long delivered;
    /** The service: running methods, and the amounts that they add. */
    private final ArrayDeque<Long> running = new ArrayDeque<>();
    private final Map<Long, Long> added = new TreeMap<>();
    private int runs;
    private int committed;
    private int rolledBack;

    Node(int number) {
      this.number = number;
      List<ReplicaId> all = List.of(new ReplicaId(1), new ReplicaId(2), new ReplicaId(3));
      Timing timing = Timing.of(Duration.ofMillis(50), Duration.ofMillis(500));
      this.requests =
          new ExactlyOnce(
              new ReplicaSetup(all.get(number), all, Recovered.NOTHING, 1, timing, Limits.DEFAULTS, Rule.ALL), this);
    }

    @Override
    public void append(long now, Execution execution, Effects out) {
      mine.add(execution);
      order.add(new Proposal(number, requests.update(now, execution, 0), execution.versions()));
    }

    @Override
    public boolean sawOneState(Execution execution, Map<String, Long> read) {
      return true;
    }

    void deliver(Proposal proposal) {
      Execution own = proposal.from() == number ? mine.remove() : null;
      if (!proposal.versions().entrySet().stream().allMatch(read -> version(read.getKey()) == read.getValue())) {
        if (own != null) {
          requests.suspend(own, this);
          requests.resume(own, this);
        }
        return;
      }
      StateUpdate update = requests.placed(proposal.update(), epoch(), delivered + 1);
      if (requests.deliver(now, update, own, this)) {
        delivered++;
        update.changes().forEach(change -> versions.put(change.resource(), delivered));
      }
      requests.answers().advance(now, this);
    }

    private long version(String resource) {
      return versions.getOrDefault(resource, 0L);
    }

    long value() {
      try (StateItems items = requests.state().snapshot(false, Holdings.NOTHING, 0, 1)) {
        for (Item item = items.next(); item != null; item = items.next()) {
          if (item instanceof Item.Resource resource && resource.id().equals(COUNTER)) {
            return ByteBuffer.wrap(resource.state()).getLong();
          }
        }
      }
      return 0;
    }

    /** Lets one running method return. */
    void run() {
      long token = running.remove();
      byte[] sum = ByteBuffer.allocate(8).putLong(value() + added.get(token)).array();
      Map<String, Long> read = Map.of(COUNTER, version(COUNTER));
      runs++;
      requests.executed(
          now,
          new Input.Executed(token, read, new Response((byte) 0, sum), List.of(new StateChange(COUNTER, sum))),
          this);
    }

    long add(RequestKey key, long digest, long ackBelow, long more) {
      long token = ++tokens;
      added.put(token, more);
      requests.admit(
          now,
          token,
          new Request(key, digest, Request.Kind.UPDATE, null, VersionHandle.INITIAL, ackBelow, ""),
          this);
      return token;
    }

    long session(Request.Kind kind, RequestKey key) {
      long token = ++tokens;
      requests.admit(now, token, new Request(key, 0, kind, null, VersionHandle.INITIAL, 0, ""), this);
      return token;
    }

    @Override
    public long epoch() {
      return 1;
    }

    @Override
    public VersionHandle handle(long index) {
      return VersionHandle.ofGroup(epoch(), index);
    }

    @Override
    public long end() {
      return delivered;
    }

    @Override
    public long stable() {
      return delivered;
    }

    @Override
    public Failure backlog() {
      return null;
    }

    @Override
    public boolean isCurrent(Execution execution) {
      return true;
    }

    @Override
    public long confirmation(long now, ReadLevel level, Effects out) {
      return 0;
    }

    @Override
    public boolean confirmed(long now, PendingRead read) {
      return true;
    }

    @Override
    public void execute(long token, Request.Kind kind) {
      running.add(token);
    }

    @Override
    public void commit(long token, long version, List<StateChange> changes) {
      committed++;
    }

    @Override
    public void rollback(long token) {
      rolledBack++;
    }

    @Override
    public void reply(long token, Reply reply) {
      assertNull(answers.put(token, reply), "answered twice");
      assertTrue(reply.handle().position() <= delivered, "told before it is delivered");
    }

    @Override
    public void fail(long token, Failure failure) {
      assertNull(answers.put(token, failure), "answered twice");
    }

    @Override
    public void send(ReplicaId to, Message message) {}

    @Override
    public void warn(String line) {
      throw new AssertionError(line);
    }

    @Override
    public void inform(String line) {
      throw new AssertionError(line);
    }

    @Override
    public void stepAgain() {
      throw new AssertionError("The strategy of this test leaves nothing for another step.");
    }

    @Override
    public void multicast(Message message) {}

    @Override
    public void store(long token, DurableRecord record) {}

    @Override
    public void changed(Role role, View view) {}

    @Override
    public void applied(long version, List<StateChange> changes) {}

    @Override
    public void stable(long index) {}

    @Override
    public void receiving(int part, long version, List<StateChange> resources) {}

    @Override
    public void replaced(long version) {}
  }

  private static RequestKey id(long number) {
    return new RequestKey.OfMessageId(number, 1);
  }

  private boolean settle() {
    boolean moved = false;
    for (Node node : nodes) {
      while (!node.running.isEmpty()) {
        node.run();
        moved = true;
      }
    }
    while (!order.isEmpty()) {
      Proposal next = order.remove();
      nodes.forEach(node -> node.deliver(next));
      moved = true;
    }
    return moved;
  }

  private void settleAll() {
    while (settle()) {
      assertTrue(tokens < 1_000_000);
    }
    for (Node node : nodes) {
      assertEquals(nodes.get(0).requests.state().digest(), node.requests.state().digest());
      assertEquals(node.runs, node.committed + node.rolledBack, "every run stands or comes to nothing, once");
    }
  }

  private static long sum(Object answer) {
    return ByteBuffer.wrap(((Reply) answer).response().body()).getLong();
  }

  @Test
  void requestAtTwoReplicasIsExecutedOnce() {
    long first = nodes.get(0).add(id(7), 3, 0, 5);
    long second = nodes.get(1).add(id(7), 3, 0, 5);
    long copy = nodes.get(1).add(id(7), 3, 0, 5);
    settleAll();
    assertEquals(5, nodes.get(2).value());
    assertEquals(Reply.Status.EXECUTED, ((Reply) answers.get(first)).status());
    assertEquals(Reply.Status.REPLAYED, ((Reply) answers.get(second)).status());
    assertEquals(Reply.Status.REPLAYED, ((Reply) answers.get(copy)).status());
    assertEquals(5, sum(answers.get(copy)));
    assertEquals(((Reply) answers.get(first)).handle(), ((Reply) answers.get(second)).handle());
  }

  @Test
  void otherBodyWithTheSameIdentityIsRefusedAtDelivery() {
    nodes.get(0).add(id(7), 3, 0, 5);
    long second = nodes.get(1).add(id(7), 4, 0, 6);
    settleAll();
    assertEquals(5, nodes.get(1).value());
    assertEquals(FailureCode.DigestMismatch, ((Failure) answers.get(second)).code());
  }

  @Test
  void executionThatReadAStaleStateRunsAgain() {
    long first = nodes.get(0).add(id(1), 0, 0, 1);
    long second = nodes.get(1).add(id(2), 0, 0, 10);
    settleAll();
    assertEquals(11, nodes.get(2).value());
    assertEquals(1, sum(answers.get(first)));
    assertEquals(11, sum(answers.get(second)));
    assertEquals(1, nodes.get(1).rolledBack);
  }

  @Test
  void nonceOpensOneSessionAtAllReplicas() {
    RequestKey.OfNonce nonce = new RequestKey.OfNonce(1, 2);
    long one = nodes.get(0).session(Request.Kind.OPEN_SESSION, nonce);
    long two = nodes.get(1).session(Request.Kind.OPEN_SESSION, nonce);
    settleAll();
    SessionId id = SessionId.ofBytes(((Reply) answers.get(one)).response().body());
    assertEquals(id, SessionId.ofBytes(((Reply) answers.get(two)).response().body()));
    long call = nodes.get(2).add(new RequestKey.OfSession(id, 1), 0, 0, 4);
    settleAll();
    assertEquals(4, sum(answers.get(call)));
  }

  @Test
  void updateDeliveredAfterItsSessionEndedIsRefused() {
    long opened = nodes.get(0).session(Request.Kind.OPEN_SESSION, new RequestKey.OfNonce(1, 2));
    settleAll();
    SessionId id = SessionId.ofBytes(((Reply) answers.get(opened)).response().body());
    long closed = nodes.get(0).session(Request.Kind.CLOSE_SESSION, new RequestKey.OfSession(id, 0));
    long late = nodes.get(1).add(new RequestKey.OfSession(id, 1), 0, 0, 4);
    settleAll();
    assertNotNull(((Reply) answers.get(closed)).response());
    assertEquals(FailureCode.SessionExpired, ((Failure) answers.get(late)).code());
    assertEquals(0, nodes.get(1).value());
  }

  /** Lets the first replica look for expired sessions each second. */
  private void expireUntil(int seconds) {
    while (now < Duration.ofSeconds(seconds).toNanos()) {
      now += Duration.ofSeconds(1).toNanos();
      nodes.get(0).requests.expire(now, nodes.get(0));
    }
  }

  @Test
  void activityAtAnyReplicaKeepsASessionAlive() {
    nodes.get(0).requests.begin(now);
    long opened = nodes.get(0).session(Request.Kind.OPEN_SESSION, new RequestKey.OfNonce(1, 2));
    settleAll();
    SessionId id = SessionId.ofBytes(((Reply) answers.get(opened)).response().body());
    expireUntil(50);
    nodes.get(1).add(new RequestKey.OfSession(id, 1), 0, 0, 4);
    settleAll();
    expireUntil(100);
    assertTrue(order.isEmpty(), "opened 100 s ago, and used elsewhere since");
    expireUntil(700);
    settleAll();
    for (Node node : nodes) {
      assertEquals(0, node.requests.sessions().size());
    }
  }

  @Test
  void requestAbandonedAfterItsMethodReturnedIsCommitted() {
    Node node = nodes.get(0);
    long token = node.add(id(1), 0, 0, 3);
    node.run();
    node.requests.abandoned(token, node);
    settleAll();
    assertNull(answers.get(token), "its caller has been answered otherwise");
    long again = nodes.get(1).add(id(1), 0, 0, 3);
    settleAll();
    assertEquals(Reply.Status.REPLAYED, ((Reply) answers.get(again)).status());
    assertEquals(3, nodes.get(2).value());
  }

  /** Sends every request to several replicas; methods and deliveries come in any order. */
  @Test
  void everyRequestCountsOnceInAnyDeliveryOrder() {
    for (long seed = 1; seed <= 100; seed++) {
      CertifiedOrderTest group = new CertifiedOrderTest();
      Random random = new Random(seed);
      Map<Long, Long> sent = new TreeMap<>();
      long total = 0;
      for (int step = 0; step < 400; step++) {
        Node node = group.nodes.get(random.nextInt(3));
        int what = random.nextInt(10);
        if (what < 4) {
          long number = 1L + random.nextInt(60);
          if (sent.putIfAbsent(number, number) == null) {
            total += number;
          }
          node.add(id(number), number, 0, number);
        } else if (what < 8 && !node.running.isEmpty()) {
          node.run();
        } else if (!group.order.isEmpty()) {
          Proposal next = group.order.remove();
          group.nodes.forEach(one -> one.deliver(next));
        }
      }
      group.settleAll();
      assertEquals(total, group.nodes.get(0).value(), "seed " + seed);
      assertEquals(group.tokens, group.answers.size(), "seed " + seed + ": every caller has one answer");
    }
  }
}
