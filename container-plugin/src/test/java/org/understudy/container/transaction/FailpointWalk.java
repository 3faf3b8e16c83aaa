package org.understudy.container.transaction;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;
import static org.understudy.container.transaction.Failpoint.ABORT_ANSWERED;
import static org.understudy.container.transaction.Failpoint.ABORT_ANSWERING;
import static org.understudy.container.transaction.Failpoint.ABORT_RECEIVED;
import static org.understudy.container.transaction.Failpoint.ABORT_SENDING;
import static org.understudy.container.transaction.Failpoint.COMMIT_ANSWERED;
import static org.understudy.container.transaction.Failpoint.COMMIT_ANSWERING;
import static org.understudy.container.transaction.Failpoint.COMMIT_RECEIVED;
import static org.understudy.container.transaction.Failpoint.COMMIT_SENDING;
import static org.understudy.container.transaction.Failpoint.DECISION_AFTER;
import static org.understudy.container.transaction.Failpoint.DECISION_BEFORE;
import static org.understudy.container.transaction.Failpoint.FORGET_AFTER;
import static org.understudy.container.transaction.Failpoint.FORGET_BEFORE;
import static org.understudy.container.transaction.Failpoint.MARK_BEFORE;
import static org.understudy.container.transaction.Failpoint.PREPARED_BEFORE;
import static org.understudy.container.transaction.Failpoint.PREPARE_ANSWERED;
import static org.understudy.container.transaction.Failpoint.PREPARE_ANSWERING;
import static org.understudy.container.transaction.Failpoint.PREPARE_RECEIVED;
import static org.understudy.container.transaction.Failpoint.PREPARE_SENDING;
import static org.understudy.container.transaction.Failpoint.REGISTER_ANSWERED;
import static org.understudy.container.transaction.Failpoint.REGISTER_ANSWERING;
import static org.understudy.container.transaction.Failpoint.REGISTER_RECEIVED;
import static org.understudy.container.transaction.Failpoint.REGISTER_SENDING;
import static org.understudy.container.transaction.Failpoint.STATUS_ANSWERED;
import static org.understudy.container.transaction.Failpoint.STATUS_ANSWERING;
import static org.understudy.container.transaction.Failpoint.STATUS_RECEIVED;
import static org.understudy.container.transaction.Failpoint.STATUS_SENDING;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.replication.runtime.state.WholeState;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.PeerRelay;
import org.understudy.test.cluster.TestCluster;

/**
 * Stops primaries of two groups where the messages and log entries of a transaction are, has others elected, and resumes them as zombies.
 * Each transaction of a round stands at a failpoint of its own, so that one failover tests several.
 */
final class FailpointWalk implements Failpoint.Listener {
  private static final int AT_COORDINATOR = 5;
  private static final int AT_PARTICIPANT = 7;

  /** What must become of a transaction. */
  enum End {
    COMMITTED,
    ABORTED,
    /** The same at both groups. */
    EITHER
  }

  /** One transaction, which stands at a failpoint. */
  private final class Trial {
    final Failpoint point;
    final StoppableGroup group;
    final End expected;
    final String bankPurse = open(bank);
    final String shopPurse = open(shop);
    final String id;
    volatile CompletableFuture<Answer> call;
    volatile CompletableFuture<Answer> end;

    Trial(Failpoint point, StoppableGroup group, End expected) {
      this.point = point;
      this.group = group;
      this.expected = expected;
      Answer begun = bank.post("/soap/a", text("", "<BeginTransaction xmlns=\"urn:understudy:replication:1\"/>"));
      assertEquals(200, begun.status(), begun.text());
      id = begun.between("<ur:Transaction>", "</ur:Transaction>");
      trials.put(id, this);
    }

    private boolean is(String message) {
      return point.name().startsWith(message);
    }

    private String operation() {
      return is("ABORT") || is("REGISTER") ? "AbortTransaction" : "CommitTransaction";
    }

    private byte[] ending() {
      return text(
          "",
          "<" + operation() + " xmlns=\"urn:understudy:replication:1\"><Transaction>" + id + "</Transaction></" + operation() + ">");
    }

    void go() {
      if (is("STATUS")) {
        shop.relay.lose(PeerMessage.Kind.COMMIT, id, true);
      }
      assertEquals(AT_COORDINATOR, value(bank.post(bankPurse, deposit(id, AT_COORDINATOR))), id);
      call = CompletableFuture.supplyAsync(() -> shop.post(shopPurse, deposit(id, AT_PARTICIPANT)), task -> new Thread(task).start());
      if (!is("REGISTER")) {
        assertEquals(AT_PARTICIPANT, value(call.join()), id);
        end = CompletableFuture.supplyAsync(() -> bank.post("/soap/a", ending()), task -> new Thread(task).start());
      }
    }

    /** Has the client end the transaction, and returns whether it has committed. */
    boolean outcome() {
      shop.relay.lose(PeerMessage.Kind.COMMIT, id, false);
      boolean aborting = operation().startsWith("Abort");
      Answer[] last = new Answer[1];
      await("an outcome of " + this, () -> {
        last[0] = bank.post("/soap/a", ending());
        return last[0].status() == 200 || code(last[0]).equals("TransactionAborted");
      });
      return !aborting && last[0].status() == 200;
    }

    @Override
    public String toString() {
      return point + " " + id;
    }
  }

  private final StoppableGroup bank;
  private final StoppableGroup shop;
  private final Map<String, Trial> trials = new ConcurrentHashMap<>();
  private final Map<String, Trial> standing = new ConcurrentHashMap<>();
  /** What was reached, for a failure's message. */
  private final Queue<String> history = new ConcurrentLinkedQueue<>();
  private final Set<Failpoint> walked = EnumSet.noneOf(Failpoint.class);
  private volatile CountDownLatch resumed = new CountDownLatch(1);

  /** @param toShop carries the messages to the shop */
  FailpointWalk(TestCluster bank, PeerRelay toBank, TestCluster shop, PeerRelay toShop) {
    this.bank = new StoppableGroup("bank", bank, toBank);
    this.shop = new StoppableGroup("shop", shop, toShop);
    toBank.to(message -> this.bank.post("/soap/a", message));
    toShop.to(message -> this.shop.post("/soap/a", message));
  }

  @Override
  public void reached(Failpoint point, String group, Replica replica, String transaction) {
    Trial trial = trials.get(transaction);
    history.add(group + " " + System.identityHashCode(replica) + " " + point + " " + transaction);
    if (trial != null && trial.point == point && trial.group.name.equals(group)
        && (trial.group.stoppedReplica == null || trial.group.stoppedReplica == replica) && resumed.getCount() > 0) {
      trial.group.stoppedReplica = replica;
      CountDownLatch until = resumed;
      if (standing.put(transaction, trial) != null) {
        throw new IllegalStateException("A repeated message is lost, so that it keeps no thread.");
      }
      await(until);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    Condition.await(what, condition);
  }

  // ---- requests

  private static byte[] text(String header, String body) {
    return envelope(header, body).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] deposit(String transaction, int amount) {
    String in =
        transaction == null ? "" : header("<Transaction><Id>" + transaction + "</Id><Coordinator>bank</Coordinator></Transaction>");
    return text(in, "<n:deposit xmlns:n=\"urn:purses\"><amount>" + amount + "</amount></n:deposit>");
  }

  private static int value(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    return Integer.parseInt(answer.between("<return>", "</return>"));
  }

  private static String code(Answer answer) {
    return answer.text().contains("<ur:Code>") ? answer.between("<ur:Code>", "</ur:Code>") : "";
  }

  private static String open(StoppableGroup group) {
    Answer opened = group.post("/soap/purses", text("", "<n:open xmlns:n=\"urn:purses\"/>"));
    assertEquals(200, opened.status(), opened.text());
    return opened.between("<return>", "</return>").replaceFirst(".*/app", "");
  }

  // ---- a round

  /** Walks all failpoints. The pools of the replicas have four threads: what stands in them comes last. */
  void walk() {
    round(
        List.of(
            entry(REGISTER_RECEIVED, End.ABORTED), entry(PREPARE_SENDING, End.ABORTED), entry(ABORT_SENDING, End.ABORTED),
            entry(DECISION_BEFORE, End.ABORTED), entry(COMMIT_SENDING, End.COMMITTED), entry(ABORT_ANSWERED, End.ABORTED)),
        List.of(
            entry(REGISTER_SENDING, End.ABORTED), entry(PREPARE_RECEIVED, End.ABORTED), entry(COMMIT_RECEIVED, End.COMMITTED),
            entry(ABORT_RECEIVED, End.ABORTED), entry(PREPARE_ANSWERING, End.EITHER)));
    round(
        List.of(
            entry(STATUS_RECEIVED, End.COMMITTED), entry(REGISTER_ANSWERING, End.ABORTED), entry(PREPARE_ANSWERED, End.ABORTED),
            entry(STATUS_ANSWERING, End.COMMITTED)),
        List.of(
            entry(REGISTER_ANSWERED, End.ABORTED), entry(PREPARED_BEFORE, End.ABORTED), entry(STATUS_ANSWERED, End.COMMITTED),
            entry(MARK_BEFORE, End.COMMITTED), entry(COMMIT_ANSWERING, End.COMMITTED)));
    round(
        List.of(
            entry(COMMIT_ANSWERED, End.COMMITTED), entry(FORGET_BEFORE, End.COMMITTED), entry(FORGET_AFTER, End.COMMITTED),
            entry(DECISION_AFTER, End.EITHER)),
        List.of(entry(STATUS_SENDING, End.COMMITTED), entry(ABORT_ANSWERING, End.ABORTED)));
    assertEquals(EnumSet.allOf(Failpoint.class), walked);
  }

  /** Walks some failpoints; those at the coordinator stop its primary, the others the participant's. */
  private void round(List<Map.Entry<Failpoint, End>> atCoordinator, List<Map.Entry<Failpoint, End>> atParticipant) {
    Failpoint.listen(this);
    List<Trial> all = new ArrayList<>();
    try {
      atParticipant.forEach(one -> all.add(stand(new Trial(one.getKey(), shop, one.getValue()))));
      atCoordinator.forEach(one -> all.add(stand(new Trial(one.getKey(), bank, one.getValue()))));
      all.forEach(one -> await("a replica at " + one, () -> standing.containsKey(one.id)));
      all.forEach(one -> walked.add(one.point));
      stop(bank);
      stop(shop);
      bank.awaitPrimary();
      shop.awaitPrimary();
      Map<Trial, Boolean> outcomes = new HashMap<>();
      for (Trial one : all) {
        boolean committed = one.outcome();
        assertTrue(one.expected == End.EITHER || committed == (one.expected == End.COMMITTED), one + " committed: " + committed);
        outcomes.put(one, committed);
        unlocked(bank, one.bankPurse, committed ? AT_COORDINATOR : 0, one);
        unlocked(shop, one.shopPurse, committed ? AT_PARTICIPANT : 0, one);
      }
      resume();
      for (Trial one : all) {
        boolean committed = outcomes.get(one);
        unlocked(bank, one.bankPurse, committed ? AT_COORDINATOR : 0, one);
        unlocked(shop, one.shopPurse, committed ? AT_PARTICIPANT : 0, one);
        told(one, committed);
      }
      idle(bank);
      idle(shop);
    } finally {
      Failpoint.listen(Failpoint.Listener.NONE);
      resume();
    }
  }

  private Trial stand(Trial trial) {
    trial.go();
    if (!trial.is("STATUS")) {
      await("a replica at " + trial, () -> standing.containsKey(trial.id));
    }
    return trial;
  }

  /** As a signal would stop its process: it neither sends nor handles anything, and continues later where it was. */
  private void stop(StoppableGroup group) {
    Replica replica = group.stoppedReplica;
    assertNotNull(replica, group.name);
    int number = group.awaitPrimary();
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch until = resumed;
    new Thread(() -> replica.observe(new Freeze(reached, until)), "freeze-" + group.name).start();
    await(reached);
    group.stopped = number;
    group.stopping.complete(StoppableGroup.NONE);
  }

  private void resume() {
    resumed.countDown();
    for (StoppableGroup group : List.of(bank, shop)) {
      int number = group.stopped;
      group.stopped = 0;
      group.stopping = new CompletableFuture<>();
      group.stoppedReplica = null;
      if (number != 0) {
        group.cluster.awaitReady(number);
      }
    }
    standing.clear();
    trials.clear();
    resumed = new CountDownLatch(1);
  }

  /** Holds the replica's lock until it is to go on. */
  private record Freeze(CountDownLatch reached, CountDownLatch until) implements StateListener {
    @Override
    public boolean follows(String key) {
      return false;
    }

    @Override
    public void replaced(WholeState state) {
      reached.countDown();
      FailpointWalk.await(until);
    }

    @Override
    public void onChange(String key, byte[] state) {
      // Only the lock matters.
    }

    @Override
    public void onReset() {
      // Only the lock matters.
    }
  }

  /** Other clients can use the object, and it has this value. */
  private String dump(Trial trial, StoppableGroup group) {
    StringBuilder text = new StringBuilder("now " + (System.nanoTime() / 1_000_000) % 1_000_000 + " stopped " + group.stopped + "\n");
    for (int i = 1; i <= 3; i++) {
      if (i != group.stopped) {
        text.append(i).append(' ').append(group.cluster.health(i, "live").body()).append('\n');
      }
    }
    history.stream().filter(line -> line.endsWith(trial.id)).forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  private void unlocked(StoppableGroup group, String purse, int expected, Trial trial) {
    Answer[] last = new Answer[1];
    await(group.name + " to unlock the object of " + trial, () -> {
      last[0] = group.post(purse, deposit(null, 0));
      return last[0].status() == 200;
    });
    assertEquals(expected, value(last[0]), () -> group.name + " after " + trial + "\n" + dump(trial, group));
  }

  /** What the client was answered by the replica that had stopped, or by its group before, is true. */
  private static void told(Trial trial, boolean committed) {
    if (trial.end == null) {
      return;
    }
    Answer answer = trial.end.join();
    boolean aborting = trial.operation().startsWith("Abort");
    if (answer.status() == 200) {
      assertEquals(!aborting, committed, trial + " was answered " + answer.text());
    } else if (code(answer).equals("TransactionAborted")) {
      assertEquals(false, committed, trial + " was answered " + answer.text());
    }
  }

  /** What the replica says of its transactions, and what was reached in each of them. */
  private String left(StoppableGroup group, int replica) {
    String report = PeerTransactionHttpTest.control(group.cluster, replica, "report");
    return report
        + history.stream().filter(line -> report.contains(line.substring(line.lastIndexOf(' ') + 1))).collect(Collectors.joining("\n"));
  }

  private void idle(StoppableGroup group) {
    for (int number = 1; number <= 3; number++) {
      int replica = number;
      String[] health = new String[1];
      Condition.await(() -> group.name + " " + replica + " to be idle: " + health[0] + "\n" + left(group, replica), () -> {
        health[0] = group.cluster.health(replica, "live").body();
        return health[0].contains("\"inDoubtTransactions\":0") && health[0].contains("\"openTransactions\":0");
      });
    }
  }
}
