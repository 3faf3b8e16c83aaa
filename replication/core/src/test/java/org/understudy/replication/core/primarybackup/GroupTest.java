package org.understudy.replication.core.primarybackup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.LoadBoard;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.ByteLimits;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.limit.KeyKinds;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.membership.RecoveryMessage;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.transfer.TransferMessage;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.wire.WireVersions;

/** The scenarios of the papers with three cores over a reliable network; the simulation covers unreliable ones. */
class GroupTest {
  private static final long STEP = 5_000_000;

  private final Map<Integer, Node> nodes = new TreeMap<>();
  private final ArrayDeque<Runnable> network = new ArrayDeque<>();
  private final Map<Long, Object> answers = new TreeMap<>();
  private long now = 1_000_000_000L;
  private long nextToken = 1;
  private SessionId session;
  private final int size;
  private static final ByteLimits BYTES = new ByteLimits(10_000, 2_000, 3_000, 2_500, 1_000, 4_000, 20_000);
  /** Each replica has another limit on replies, and the second a lower one on resources: only the primary's limits apply. */
  private final Limits[] limits = {
    limits(3_000, BYTES.resource()), limits(2_000, 1_000), limits(4_000, BYTES.resource())
  };

  private static Limits limits(long replies, long resource) {
    ByteLimits bytes =
        new ByteLimits(
            BYTES.state(), resource, replies, BYTES.sessionReplies(), BYTES.reply(), BYTES.update(),
            BYTES.unstable());
    KeyKinds kinds =
        new KeyKinds(
            List.of(
                KeyKind.counted("point/", "points", 6, "points"),
                KeyKind.parts("in/", "point/"),
                KeyKind.written("current/"),
                KeyKind.common("common")));
    return new Limits(1_000, 1 << 20, 1 << 10, 20, 100, 40, 10_000_000_000L, 60_000_000_000L, 20, bytes).with(kinds);
  }

  GroupTest() {
    size = 3;
    for (int i = 1; i <= size; i++) {
      start(i, Recovered.NOTHING, i);
    }
    run(100);
  }

  /** One replica and its environment; executes at once. */
  private final class Node implements Effects {
    final ReplicaId id;
    final ReplicaCore core;
    Recovered disk;
    Role role = Role.JOINING;
    boolean alive = true;
    /** What it has logged. */
    final List<String> lines = new ArrayList<>();
    final List<Runnable> later = new ArrayList<>();
    final List<Long> executed = new ArrayList<>();
    final List<Long> undone = new ArrayList<>();
    /** What it has reported about transactions. */
    final List<String> reports = new ArrayList<>();
    /** The updates that it has sent, acknowledged and applied. */
    final List<String> order = new ArrayList<>();
    Outcome outcome;
    List<StateChange> changes;
    boolean slow;
    /** Whether it carries out {@link #stepAgain} before other inputs come. */
    boolean continues = true;
    boolean candidate;
    boolean promisesNothing;
    /** The wire version in its last promise with state; 0 if there was none, too. */
    int promisedWire;
    /** The number of state transfers it began. */
    int transfers;
    final TreeMap<String, byte[]> image = new TreeMap<>();
    final TreeMap<String, byte[]> arriving = new TreeMap<>();
    long stable;
    /** The index that it reports, and what it knows of the others. */
    int load = LoadBoard.UNKNOWN;
    LoadBoard loads = LoadBoard.EMPTY;

    Node(int number, Recovered disk, long incarnation) {
      this.id = new ReplicaId(number);
      this.disk = disk;
      List<ReplicaId> all = new ArrayList<>();
      for (int i = 1; i <= size; i++) {
        all.add(new ReplicaId(i));
      }
      core =
          new PrimaryBackup()
              .open(
                  new ReplicaSetup(
                      id, all, disk, incarnation,
                      Timing.of(Duration.ofMillis(50), Duration.ofMillis(500)), limits[number - 1],
                      ReadConfirmation.LEASE, Rule.ALL));
    }

    long promised() {
      return MembershipRecord.of(disk).promisedEpoch();
    }

    void step(Input input) {
      if (alive) {
        core.step(now, now, input, this);
        List<Runnable> next = List.copyOf(later);
        later.clear();
        next.forEach(Runnable::run);
      }
    }

    @Override
    public void send(ReplicaId to, Message message) {
      if (message instanceof OrderMessage.Update update) {
        order.add("sent " + update.updateIndex());
      } else if (message instanceof OrderMessage.Ack ack) {
        order.add("acknowledged " + ack.received());
      }
      candidate |= message instanceof MembershipMessage.PreVote;
      transfers += message instanceof TransferMessage.Snapshot part && part.part() == 0 ? 1 : 0;
      if (message instanceof MembershipMessage.Promise promise && promise.complete()) {
        promisedWire = promise.wire();
      }
      if (promisesNothing && message instanceof MembershipMessage.Promise) {
        return;
      }
      network.add(() -> nodes.get(to.number()).step(new Input.Received(id, message)));
    }

    @Override
    public void warn(String line) {
      lines.add(line);
    }

    @Override
    public void inform(String line) {
      lines.add(line);
    }

    @Override
    public void multicast(Message message) {
      throw new AssertionError("Primary-backup has no group channel.");
    }

    @Override
    public void stepAgain() {
      if (continues) {
        later.add(() -> step(new Input.Continued()));
      }
    }

    @Override
    public void store(long token, DurableRecord record) {
      disk = disk.with(record);
      later.add(() -> step(new Input.Stored(token)));
    }

    @Override
    public void execute(long token, Request.Kind kind) {
      executed.add(token);
      if (slow) {
        return;
      }
      byte[] body = {(byte) token};
      List<StateChange> changes =
          kind == Request.Kind.UPDATE
              ? List.of(new StateChange("counter", body), StateChange.entry("log", body))
              : List.of();
      Outcome result = outcome != null ? outcome : new Response((byte) 1, body);
      List<StateChange> made = this.changes != null ? this.changes : changes;
      later.add(() -> step(new Input.Executed(token, Map.of(), result, made)));
    }

    @Override
    public void reply(long token, Reply reply) {
      answers.put(token, reply);
    }

    @Override
    public void fail(long token, Failure failure) {
      answers.put(token, failure);
    }

    @Override
    public void commit(long token, long version, List<StateChange> changes) {
      applied(version, changes);
    }

    @Override
    public void rollback(long token) {
      undone.add(token);
    }

    @Override
    public void prepared(long token, DecisionId prepared) {
      reports.add("prepared " + prepared);
    }

    @Override
    public void settled(DecisionId decided, boolean stable) {
      reports.add("settled " + decided + " " + stable);
    }

    @Override
    public void changed(Role role, View view) {
      this.role = role;
    }

    @Override
    public void loads(LoadBoard board) {
      loads = board;
    }

    @Override
    public void stable(long index) {
      if (index < stable) {
        throw new AssertionError("stable went back from " + stable + " to " + index);
      }
      stable = index;
    }

    @Override
    public void applied(long version, List<StateChange> changes) {
      order.add("applied " + version);
      changes.forEach(change -> {
        if (change.state() == null) {
          image.remove(change.resource());
        } else {
          image.put(change.resource(), change.state());
        }
      });
    }

    @Override
    public void receiving(int part, long version, List<StateChange> resources) {
      if (part == 0) {
        arriving.clear();
      }
      resources.forEach(resource -> arriving.put(resource.resource(), resource.state()));
    }

    @Override
    public void replaced(long version) {
      image.clear();
      image.putAll(arriving);
      stable = 0;
    }
  }

  private void start(int number, Recovered disk, long incarnation) {
    nodes.put(number, new Node(number, disk, incarnation));
  }

  private void run(int ticks) {
    for (int i = 0; i < ticks; i++) {
      now += STEP;
      nodes.values().forEach(node -> node.step(new Input.Tick(node.load)));
      deliver();
    }
  }

  private void deliver() {
    while (!network.isEmpty()) {
      network.poll().run();
    }
  }

  private Object ask(int node, Request request) {
    long token = nextToken++;
    nodes.get(node).step(new Input.Requested(token, request));
    deliver();
    return answers.get(token);
  }

  /** Opens a session at this replica; {@link #add} uses it from then on. */
  private SessionId open(int node) {
    Reply opened = (Reply) ask(node, opening(2));
    session = SessionId.ofBytes(opened.response().body());
    return session;
  }

  private static Request opening(long nonce) {
    return new Request(
        new RequestKey.OfNonce(1, nonce), 0, Request.Kind.OPEN_SESSION, null, VersionHandle.INITIAL, 0, "");
  }

  private Request add(long sequence, long digest) {
    return new Request(
        new RequestKey.OfSession(session, sequence), digest, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "");
  }

  private int primary() {
    List<Integer> primaries = nodes.values().stream()
        .filter(node -> node.alive && node.role == Role.PRIMARY).map(node -> node.id.number()).toList();
    assertEquals(1, primaries.size(), "primaries " + primaries);
    return primaries.get(0);
  }

  /**
   * Late messages of a primary that has ended cancel the first hints of its end, so that no backup supports the other's first attempt. The
   * next hints come long before the suspicion time is over.
   */
  @Test
  void eachHintPermitsAnElection() {
    ReplicaId ended = nodes.get(1).id;
    nodes.get(1).alive = false;
    // The end of the lease, and the stagger of the second backup.
    run(52);
    for (int backup : new int[] {2, 3}) {
      nodes.get(backup).step(new Input.Suspected(ended));
      run(1);
      nodes.get(backup).step(new Input.Received(ended, new MembershipMessage.Nack(0)));
      deliver();
      run(1);
    }
    assertEquals(Role.BACKUP, nodes.get(2).role);
    assertEquals(Role.BACKUP, nodes.get(3).role);
    nodes.get(2).step(new Input.Suspected(ended));
    nodes.get(3).step(new Input.Suspected(ended));
    run(10);
    assertEquals(2, primary());
  }

  /** Bartoli et al. 2005, 3.2.5: the indexes ride on messages that travel anyway. */
  @Test
  void heartbeatsCarryTheLoadIndexesOfAllMembers() {
    nodes.get(1).load = 70_000;
    nodes.get(2).load = 0;
    run(20);
    LoadBoard expected = new LoadBoard(Map.of(new ReplicaId(1), 70_000, new ReplicaId(2), 0));
    nodes.values().forEach(node -> assertEquals(expected, node.loads, "replica 3 reports none"));
    nodes.get(2).load = LoadBoard.UNKNOWN;
    nodes.get(3).load = 5;
    run(20);
    LoadBoard changed = new LoadBoard(Map.of(new ReplicaId(1), 70_000, new ReplicaId(3), 5));
    nodes.values().forEach(node -> assertEquals(changed, node.loads));
  }

  /** A participant votes for what is stable, and acknowledges a decision when it finds nothing undecided. */
  @Test
  void transactionIsUndecidedUntilItsMarkIsStable() {
    Node primary = nodes.get(primary());
    primary.slow = true;
    ask(primary.id.number(), Request.internalUpdate());
    long token = nextToken - 1;
    primary.step(
        new Input.Executed(
            token, Map.of(), new Response((byte) 1, new byte[0]), List.of(new StateChange("kept", new byte[1])), false,
            new ParticipantRecord("urn:t", new byte[0])));
    DecisionId id = primary.core.undecided().get(0).id();
    assertEquals(List.of(), primary.reports, "nothing is stable before a backup has answered");
    assertTrue(primary.core.status(now).stable() < id.index());
    deliver();
    assertEquals(List.of("prepared " + id), primary.reports);
    assertEquals(id.index(), primary.core.status(now).stable());

    primary.step(new Input.CoordinatorDecided(id, Decision.COMMITTED));
    primary.step(new Input.CoordinatorDecided(id, Decision.COMMITTED));
    assertEquals(1, primary.reports.size());
    assertEquals(List.of(id), primary.core.undecided().stream().map(InDoubt::id).toList(), "the mark can be lost");
    deliver();
    assertEquals(List.of("prepared " + id, "settled " + id + " true"), primary.reports);
    assertEquals(List.of(), primary.core.undecided());
    primary.step(new Input.CoordinatorDecided(id, Decision.ABORTED));
    assertEquals("settled " + id + " false", primary.reports.get(2));
  }

  /** A client waits for what comes before. */
  @Test
  void updateIsSentBeforeThePrimaryAppliesItAndAcknowledgedBeforeABackupAppliesOthers() {
    open(1);
    ask(1, add(1, 7));
    nodes.values().forEach(node -> node.order.clear());
    ask(1, add(2, 7));
    long index = nodes.get(1).core.status(now).stable();
    assertEquals(List.of("sent " + index, "sent " + index, "applied " + index), nodes.get(1).order);
    assertEquals(List.of("acknowledged " + index, "applied " + (index - 1)), nodes.get(2).order);
  }

  /** Lets replica 1 execute an update, whose result is the counter's state, and take no second step. Returns the token of the request. */
  private long executeWithoutContinuing(Response response) {
    open(1);
    Node primary = nodes.get(1);
    primary.slow = true;
    long token = nextToken;
    assertNull(ask(1, add(1, 7)));
    primary.continues = false;
    primary.order.clear();
    primary.step(new Input.Executed(token, Map.of(), response, List.of(new StateChange("counter", response.body()))));
    return token;
  }

  /** An acknowledgement can overtake the second step of the thread that has sent the update. */
  @Test
  void callerIsAnsweredWhenAcknowledgementsArriveBeforeTheUpdateIsApplied() {
    Response response = new Response((byte) 1, new byte[1]);
    long token = executeWithoutContinuing(response);
    Node primary = nodes.get(1);
    assertEquals(2, primary.order.size(), "sent and not applied: " + primary.order);
    assertNull(answers.get(token), "no backup has it");
    deliver();
    assertEquals(response, ((Reply) answers.get(token)).response());
    assertTrue(primary.order.get(2).startsWith("applied"), primary.order::toString);
    primary.step(new Input.Continued());
    assertEquals(3, primary.order.size(), "nothing is left: " + primary.order);
  }

  /** The next view begins with what its members have received, applied or not. */
  @Test
  void primaryThatIsReplacedBeforeItAppliesAnUpdateAppliesItFirst() {
    executeWithoutContinuing(new Response((byte) 1, new byte[] {42}));
    Node primary = nodes.get(1);
    List<Runnable> updates = List.copyOf(network);
    network.clear();
    primary.alive = false;
    updates.forEach(Runnable::run);
    network.clear();
    run(200);
    assertEquals(Role.PRIMARY, nodes.get(2).role);
    primary.alive = true;
    run(200);
    nodes.values().forEach(node -> assertEquals(42, node.image.get("counter")[0], "replica " + node.id));
    assertEquals(nodes.get(2).core.digest(), primary.core.digest());
  }

  /** Otherwise a survivor would pass requests to replicas that have stopped. */
  @Test
  void primaryInAMinorityForgetsTheLoadIndexesOfOthers() {
    assertForgetsOthers(1);
  }

  @Test
  void memberInAMinorityForgetsTheLoadIndexesOfOthers() {
    assertForgetsOthers(2);
  }

  private void assertForgetsOthers(int survivor) {
    nodes.values().forEach(node -> node.load = 3);
    run(20);
    assertEquals(3, nodes.get(survivor).loads.indexes().size());
    nodes.values().forEach(node -> node.alive = node.id.number() == survivor);
    run(200);
    List<Integer> known = nodes.get(survivor).loads.indexes().keySet().stream().map(ReplicaId::number).toList();
    assertTrue(known.stream().allMatch(number -> number == survivor), "indexes of " + known);
  }

  @Test
  void firstReplicaIsTheFirstPrimary() {
    assertEquals(1, primary());
    assertEquals(3, nodes.get(1).core.status(now).view().members().size());
  }

  /** Zhang et al. 2004, section 2.3: the new primary replies with the result that the old one computed. */
  @Test
  void newPrimaryReplaysTheOldPrimarysReply() {
    open(1);
    Reply first = (Reply) ask(1, add(1, 7));
    nodes.get(1).alive = false;
    run(200);
    int next = primary();
    Reply again = (Reply) ask(next, add(1, 7));
    assertEquals(Reply.Status.REPLAYED, again.status());
    assertEquals(first.response(), again.response());
    assertTrue(again.epoch() > first.epoch());
    Reply second = (Reply) ask(next, add(2, 8));
    assertEquals(Reply.Status.EXECUTED, second.status());
  }

  @Test
  void firstStartTellsForWhichReplicasItWaits() {
    nodes.get(1).alive = false;
    start(2, Recovered.NOTHING, 12);
    start(3, Recovered.NOTHING, 13);
    run(2_100);
    assertEquals(Role.JOINING, nodes.get(2).role);
    assertEquals(Set.of(new ReplicaId(1)), nodes.get(2).core.status(now).awaited());
    assertEquals(List.of(), nodes.get(2).lines, "its runtime logs it");
    start(1, Recovered.NOTHING, 11);
    run(400);
    assertEquals(Role.PRIMARY, nodes.get(1).role);
    assertEquals(Set.of(), nodes.get(2).core.status(now).awaited());
  }

  /** The numbers of notifications: every replica, also one that joins later, has the same entries in order. */
  @Test
  void logEntriesAreNumberedByTheirUpdates() {
    open(1);
    Reply first = (Reply) ask(1, add(1, 7));
    Reply second = (Reply) ask(1, add(2, 8));
    start(3, nodes.get(3).disk, 99);
    run(200);
    for (Node node : nodes.values()) {
      List<Long> indexes = node.image.tailMap("log/").headMap("log0").keySet().stream().map(StateChange::indexOf).toList();
      assertEquals(List.of(first.handle().position(), second.handle().position()), indexes, "at " + node.id);
      assertTrue(node.stable >= second.handle().position(), "stable at " + node.id + ": " + node.stable);
    }
  }

  @Test
  void restartedReplicaBecomesABackup() {
    open(1);
    ask(1, add(1, 7));
    nodes.get(1).alive = false;
    run(200);
    Recovered disk = nodes.get(1).disk;
    start(1, disk, 99);
    run(100);
    int next = primary();
    assertEquals(3, nodes.get(next).core.status(now).view().members().size());
    assertEquals(Role.BACKUP, nodes.get(1).role);
    nodes.get(next).alive = false;
    run(200);
    nodes.get(primary()).alive = false;
    assertEquals(1, nodes.values().stream().filter(node -> node.alive).count());
  }

  /** Otherwise a small view that it leads would have the newest version that it reads, instead of that of its state. */
  @Test
  void restartedReplicaPromisesInTheWireVersionOfTheStateItReceived() {
    open(1);
    ask(1, add(1, 7));
    nodes.get(1).alive = false;
    run(200);
    start(1, nodes.get(1).disk, 99);
    run(100);
    assertEquals(Role.BACKUP, nodes.get(1).role);
    assertEquals(WireVersions.CURRENT.newest(), nodes.get(1).promisedWire);
  }

  @Test
  void waitingJoinerGetsTheStateOnce() {
    open(1);
    ask(1, add(1, 7));
    start(3, nodes.get(3).disk, 33);
    nodes.get(3).promisesNothing = true;
    long epoch = nodes.get(1).core.status(now).view().epoch();
    run(4_000);
    long views = nodes.get(1).core.status(now).view().epoch() - epoch;
    assertTrue(views <= 7, views + " views in 20 s");
    assertTrue(nodes.get(1).transfers <= views + 1, nodes.get(1).transfers + " transfers for " + views + " views");
    nodes.get(3).promisesNothing = false;
    run(4_000);
    assertEquals(Role.BACKUP, nodes.get(3).role);
    agree();
  }

  @Test
  void quickRestartOfThePrimaryIsDetected() {
    open(1);
    ask(1, add(1, 7));
    start(1, nodes.get(1).disk, 77);
    run(200);
    Reply again = (Reply) ask(primary(), add(1, 7));
    assertEquals(Reply.Status.REPLAYED, again.status());
    assertEquals(3, nodes.get(primary()).core.status(now).view().members().size());
  }

  /** Restarts replica 3, and lets this many ticks pass then. */
  private void restartThree(long incarnation, int ticks) {
    nodes.get(3).alive = false;
    run(300);
    start(3, nodes.get(3).disk, incarnation);
    run(ticks);
  }

  @Test
  void theWaitOfAReplicaThatRestartsRepeatedlyIsReportedOnce() {
    open(1);
    List<String> primarys = nodes.get(primary()).lines;
    for (int restart = 1; restart <= 4; restart++) {
      restartThree(30 + restart, 1_000);
      assertEquals(Role.BACKUP, nodes.get(3).role);
      assertEquals(List.of(), primarys, "waits of less than a second");
    }
    restartThree(35, 400);
    assertEquals(Map.of(new ReplicaId(3), 970L), nodes.get(primary()).core.status(now).waiting());
    assertEquals(Role.JOINING, nodes.get(3).role);
    assertEquals(
        List.of("Replica 3 is up to date and waits until it is a member, for 3 s at most: it was left out of 5 views and never a member"
            + " for 60 s in between, so each wait is longer. Find out in its log and at its machine why it restarts or falls silent."),
        primarys);
    assertEquals(
        List.of("Replica 3 is up to date and waits until replica 1 makes it a member: one that has left several views waits for up to"
            + " 60 s, and one that acknowledges late waits for some time. The log of replica 1 has the reason if it is the first."),
        nodes.get(3).lines);
    run(1_000);
    assertEquals(Role.BACKUP, nodes.get(3).role);
    assertEquals(Map.of(), nodes.get(primary()).core.status(now).waiting());
    assertEquals(1, primarys.size(), primarys::toString);
    assertEquals(1, nodes.get(3).lines.size(), nodes.get(3).lines::toString);
  }

  /** It has just heard that another replica leads: its first heartbeat is still on the way. */
  @Test
  void primaryThatIsReplacedDoesNotReportThatNobodyLeads() {
    open(1);
    run(2_000);
    Node replaced = nodes.get(1);
    ReplicaId second = new ReplicaId(2);
    View base = replaced.core.status(now).view();
    View next = new View(base.epoch() + 1, List.of(second, new ReplicaId(3)));
    replaced.step(
        new Input.Received(second, new MembershipMessage.NewView(next, base, 5, next.members(), List.of(2L, 3L))));
    // A heartbeat later: it asks to join.
    now += 20 * STEP;
    replaced.step(new Input.Tick(LoadBoard.UNKNOWN));
    assertEquals(Role.JOINING, replaced.role);
    assertEquals(List.of(), replaced.lines);
  }

  /** The update is at the primary, and a later view may keep it. */
  @Test
  void repetitionWithoutQuorumIsNotRefusedAsUnexecuted() {
    open(1);
    nodes.get(2).alive = false;
    nodes.get(3).alive = false;
    assertNull(ask(1, add(1, 7)));
    run(200);
    assertEquals(FailureCode.OutcomeUnknown, ((Failure) ask(1, add(1, 7))).code());
    assertEquals(FailureCode.NoQuorum, ((Failure) ask(1, add(1, 8))).code(), "another body is another request");
    assertEquals(FailureCode.NoQuorum, ((Failure) ask(1, add(2, 7))).code());
    long held = nextToken;
    Node former = nodes.get(1);
    former.step(
        new Input.Received(new ReplicaId(2), new MembershipMessage.Prepare(former.core.status(now).view().epoch() + 1, false)));
    assertEquals(Role.CHANGING, former.role);
    assertNull(ask(1, add(1, 7)), "it waits for the view");
    run(200);
    assertEquals(FailureCode.OutcomeUnknown, ((Failure) answers.get(held)).code(), "after the wait for a view that does not come");
    assertEquals(FailureCode.OutcomeUnknown, ((Failure) ask(1, add(1, 7))).code());
    assertEquals(FailureCode.NoQuorum, ((Failure) ask(1, add(1, 8))).code());
  }

  @Test
  void minorityRefusesUpdatesAndLosesNone() {
    open(1);
    ask(1, add(1, 7));
    nodes.get(2).alive = false;
    nodes.get(3).alive = false;
    run(200);
    Failure failure = (Failure) ask(1, add(2, 8));
    assertEquals(FailureCode.NoQuorum, failure.code());
    start(2, nodes.get(2).disk, 55);
    run(200);
    Reply replay = (Reply) ask(primary(), add(1, 7));
    assertEquals(Reply.Status.REPLAYED, replay.status());
    assertEquals(Reply.Status.EXECUTED, ((Reply) ask(primary(), add(2, 8))).status());
  }

  @Test
  void lossOfRecordsIsDistinguishedFromLossOfContact() {
    open(1);
    nodes.get(2).alive = false;
    nodes.get(3).alive = false;
    run(400);
    String contact = "There is no quorum: fewer than 2 of 3 replicas are in contact. Nothing was executed. Retry later.";
    assertEquals(contact, ((Failure) ask(1, add(1, 7))).sentence());
    start(2, Recovered.NOTHING, 55);
    run(400);
    String records =
        "There is no quorum: fewer than 2 of 3 replicas are in contact and have their durable records; without records: [2]. "
            + "Nothing was executed. Retry later, or let an operator recover the group.";
    assertEquals(records, ((Failure) ask(1, add(1, 7))).sentence());
    assertEquals(1, nodes.get(1).lines.size(), nodes.get(1).lines::toString);
    nodes.get(2).alive = false;
    run(400);
    assertEquals(contact, ((Failure) ask(1, add(1, 7))).sentence());
  }

  @Test
  void rejectsInvalidInput() {
    open(1);
    ask(1, add(5, 7));
    assertEquals(FailureCode.DigestMismatch, ((Failure) ask(1, add(5, 8))).code());
    ask(1, new Request(
        new RequestKey.OfSession(session, 6), 1, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 6, ""));
    assertEquals(FailureCode.StaleSequence, ((Failure) ask(1, add(5, 7))).code());
    assertEquals(FailureCode.NotPrimary, ((Failure) ask(2, add(7, 7))).code());
    Request stranger = new Request(
        new RequestKey.OfSession(new SessionId(9, 9), 1), 1, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "");
    assertEquals(FailureCode.SessionExpired, ((Failure) ask(1, stranger)).code());
  }

  @Test
  void terminalFailureIsStored() {
    open(1);
    Failure terminal = new Failure(FailureCode.ExecutionFailed, "The state of counter cannot be captured.");
    nodes.get(1).outcome = terminal;
    assertEquals(terminal, ask(1, add(1, 7)));
    assertEquals(1, nodes.get(1).undone.size());
    assertEquals(terminal, ask(1, add(1, 7)));
    nodes.get(1).alive = false;
    run(200);
    int next = primary();
    assertEquals(terminal, ask(next, add(1, 7)));
    assertEquals(0, nodes.get(next).executed.size(), "a retry executes nowhere");
    assertTrue(nodes.get(next).image.isEmpty(), "the failed execution changed nothing");
    run(100);
    start(1, nodes.get(1).disk, 99);
    run(200);
    nodes.get(next).alive = false;
    run(200);
    assertEquals(terminal, ask(primary(), add(1, 7)));
  }

  /** A lease protects the primary's reads only if the replica that grants it promises to no candidate, itself included. */
  @Test
  void candidateThatGrantedALeaseDoesNotPromiseToItself() {
    View view = nodes.get(2).core.status(now).view();
    nodes.get(1).alive = false;
    for (int i = 0; i < 1_000 && !nodes.get(2).candidate; i++) {
      now += STEP;
      nodes.get(3).step(new Input.Tick());
      deliver();
      nodes.get(2).step(new Input.Tick());
    }
    assertTrue(nodes.get(2).candidate);
    // By now the other backup would have a new view. Before it answers, the primary is heard again.
    now += STEP;
    nodes.get(2).step(new Input.Received(new ReplicaId(1), new MembershipMessage.Heartbeat(view, view, 1, 0, 0, true)));
    deliver();
    assertEquals(Role.BACKUP, nodes.get(2).role);
    assertEquals(view.epoch(), nodes.get(2).promised());
  }

  /** The caller is asked to retry, and the retry executes: the changes of the first run must be gone. */
  @Test
  void executionAbandonedWhileRunningIsRolledBack() {
    open(1);
    nodes.get(1).slow = true;
    long token = nextToken;
    assertNull(ask(1, add(1, 7)));
    nodes.get(1).step(new Input.Abandoned(token));
    nodes.get(1).slow = false;
    assertEquals(Reply.Status.EXECUTED, ((Reply) ask(1, add(1, 7))).status());
    byte[] late = {42};
    nodes.get(1).step(
        new Input.Executed(token, Map.of(), new Response((byte) 1, late), List.of(new StateChange("counter", late))));
    assertEquals(List.of(token), nodes.get(1).undone);
    assertNotEquals(42, nodes.get(1).image.get("counter")[0]);
  }

  @Test
  void abandonedDuplicateStopsWaiting() {
    open(1);
    nodes.get(3).alive = false;
    long token = nextToken;
    assertNull(ask(1, add(1, 7)), "the update is not stable");
    assertNull(ask(1, add(1, 7)));
    nodes.get(1).step(new Input.Abandoned(token + 1));
    nodes.get(3).alive = true;
    run(40);
    assertEquals(Reply.Status.EXECUTED, ((Reply) answers.get(token)).status());
    assertNull(answers.get(token + 1));
  }

  /** Another primary may have ended the session meanwhile. */
  @Test
  void primaryWithoutLeaseNeitherRenewsNorReportsClosedSessions() {
    open(1);
    Request renew = new Request(
        new RequestKey.OfSession(session, 0), 0, Request.Kind.RENEW_SESSION, null, VersionHandle.INITIAL, 0, "");
    Request close = new Request(
        new RequestKey.OfSession(new SessionId(5, 5), 0), 0, Request.Kind.CLOSE_SESSION, null, VersionHandle.INITIAL, 0, "");
    assertEquals(Reply.class, ask(1, renew).getClass());
    assertEquals(Reply.class, ask(1, close).getClass());
    nodes.get(2).alive = false;
    nodes.get(3).alive = false;
    run(40);
    long token = nextToken;
    assertNull(ask(1, renew));
    assertNull(ask(1, close));
    run(100);
    assertEquals(FailureCode.NoQuorum, ((Failure) answers.get(token)).code());
    assertEquals(FailureCode.NoQuorum, ((Failure) answers.get(token + 1)).code());
    assertEquals(FailureCode.NoQuorum, ((Failure) ask(1, renew)).code());
  }

  /** A member of the earlier view may have ended the session in an update that this one does not know. */
  @Test
  void primaryWithoutQuorumRenewsNoSession() {
    open(1);
    nodes.get(2).alive = false;
    nodes.get(3).alive = false;
    run(40);
    start(3, nodes.get(3).disk, 77);
    for (int i = 0; i < 400 && !isPrimaryAlone(1); i++) {
      run(1);
    }
    assertTrue(isPrimaryAlone(1), nodes.get(1).core.status(now).toString());
    Request renew = new Request(
        new RequestKey.OfSession(session, 0), 0, Request.Kind.RENEW_SESSION, null, VersionHandle.INITIAL, 0, "");
    assertEquals(FailureCode.NoQuorum, ((Failure) ask(1, renew)).code());
  }

  /** The updates with which the view began will not arrive, so clients are redirected at once. */
  @Test
  void isolatedBackupRefusesReadsAtTheBeginningOfAView() {
    nodes.get(1).alive = false;
    nodes.get(3).alive = false;
    start(2, Recovered.NOTHING, 77);
    run(20);
    ReplicaId primary = new ReplicaId(1);
    View view = new View(4, List.of(primary, new ReplicaId(2), new ReplicaId(3)));
    nodes.get(2).step(new Input.Received(primary, new MembershipMessage.Prepare(4, true)));
    nodes.get(2).step(
        new Input.Received(primary, new MembershipMessage.NewView(view, view, 5, view.members(), List.of(1L, 77L, 3L))));
    assertEquals(Role.BACKUP, nodes.get(2).core.status(now).role());
    long held = nextToken;
    assertNull(ask(2, read(ReadLevel.SESSION, VersionHandle.INITIAL)), "the primary may send it yet");
    run(200);
    assertEquals(FailureCode.NoQuorum, ((Failure) answers.get(held)).code());
    assertEquals(FailureCode.NoQuorum, ((Failure) ask(2, read(ReadLevel.LOCAL, VersionHandle.INITIAL))).code());
  }

  private boolean isPrimaryAlone(int number) {
    ReplicaStatus status = nodes.get(number).core.status(now);
    return status.role() == Role.PRIMARY && status.view().members().size() == 1;
  }

  /** The earlier incarnation may have granted a lease to a primary that still answers reads. */
  @Test
  void restartedReplicaIsReadmittedAfterItsOldLeaseExpired() {
    View view = nodes.get(1).core.status(now).view();
    nodes.get(1).alive = false;
    nodes.get(3).alive = false;
    start(2, Recovered.NOTHING, 77);
    Input readmit = new Input.Received(new ReplicaId(3), new RecoveryMessage.Readmit(1_000_000, 77, view));
    nodes.get(2).step(readmit);
    run(20);
    nodes.get(2).step(readmit);
    assertEquals(0, nodes.get(2).promised());
    run(20);
    nodes.get(2).step(readmit);
    assertEquals(1_000_000, nodes.get(2).promised());
  }

  @Test
  void abandonedReadStopsWaiting() {
    open(1);
    Reply added = (Reply) ask(1, add(1, 7));
    run(20);
    VersionHandle ahead = VersionHandle.ofGroup(added.handle().epoch(), added.handle().position() + 1);
    long token = nextToken;
    assertNull(ask(2, read(ReadLevel.SESSION, ahead)));
    nodes.get(2).step(new Input.Abandoned(token));
    ask(1, add(2, 8));
    run(20);
    assertNull(answers.get(token));
    assertEquals(0, nodes.get(2).executed.size());
  }

  private static Request named(long id, String owner) {
    return new Request(
        new RequestKey.OfMessageId(id * 0x9e3779b97f4a7c15L, id), id, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0,
        "", owner);
  }

  private void agree() {
    run(50);
    assertEquals(
        1, nodes.values().stream().filter(node -> node.alive).map(node -> node.core.digest()).distinct().count(),
        "equal digests");
  }

  @Test
  void requestWithEvictedReplyIsNotExecutedAgain() {
    Reply first = (Reply) ask(1, named(1, "ann"));
    assertEquals(first.response(), ((Reply) ask(1, named(1, "ann"))).response());
    for (int id = 2; id <= 20; id++) {
      nodes.get(1).outcome = new Response((byte) 1, new byte[500]);
      ask(1, named(id, "owner " + id));
    }
    assertEquals(FailureCode.ReplyDiscarded, ((Failure) ask(1, named(1, "ann"))).code());
    agree();
    nodes.get(1).alive = false;
    run(200);
    int next = primary();
    assertEquals(FailureCode.ReplyDiscarded, ((Failure) ask(next, named(1, "from elsewhere"))).code());
    assertEquals(0, nodes.get(next).executed.size());
    start(1, nodes.get(1).disk, 99);
    run(200);
    agree();
    nodes.get(next).alive = false;
    run(300);
    assertEquals(FailureCode.ReplyDiscarded, ((Failure) ask(primary(), named(1, "ann"))).code());
    Request other = new Request(
        named(1, "ann").key(), 999, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "", "ann");
    assertEquals(FailureCode.DigestMismatch, ((Failure) ask(primary(), other)).code());
  }

  @Test
  void identityIsKeptForItsTimeAlsoAfterAFailover() {
    ask(1, named(1, "ann"));
    run(1_900);
    assertEquals(Reply.Status.REPLAYED, ((Reply) ask(1, named(1, "ann"))).status());
    nodes.get(1).alive = false;
    run(200);
    int next = primary();
    run(1_500);
    assertEquals(Reply.Status.REPLAYED, ((Reply) ask(next, named(1, "ann"))).status());
    run(700);
    assertEquals(Reply.Status.EXECUTED, ((Reply) ask(next, named(1, "ann"))).status());
    agree();
  }

  @Test
  void onlyTheOwnerBeyondItsShareOfIdentitiesIsRefused() {
    // Only one resource, so that the bytes of the state are not the limit that is reached.
    nodes.get(1).changes = List.of(new StateChange("counter", new byte[1]));
    int admitted = 0;
    while (ask(1, named(1_000 + admitted, "flood")) instanceof Reply && admitted < 100) {
      admitted++;
    }
    assertEquals(20, admitted, "half of the limit");
    assertEquals(FailureCode.Overloaded, ((Failure) ask(1, named(5_000, "flood"))).code());
    assertEquals(Reply.class, ask(1, named(1, "ann")).getClass());
    for (int id = 6_000; id < 6_100; id++) {
      ask(1, named(id, "second flood"));
    }
    for (int id = 2; id <= 3; id++) {
      assertEquals(Reply.class, ask(1, named(id, "ann")).getClass());
    }
    assertEquals(Reply.class, ask(1, named(4, "bob")).getClass());
    run(2_200);
    assertEquals(Reply.class, ask(1, named(5_000, "flood")).getClass(), "the share is free again");
    agree();
  }

  @Test
  void closedSessionNeverOpensAgain() {
    SessionId first = open(1);
    assertEquals(first, open(1), "a repeated OpenSession, while the session lives");
    ask(1, add(1, 7));
    Request update = add(1, 7);
    ask(1, new Request(
        new RequestKey.OfSession(first, 0), 0, Request.Kind.CLOSE_SESSION, null, VersionHandle.INITIAL, 0, ""));
    SessionId second = open(1);
    assertNotEquals(first, second);
    assertEquals(FailureCode.SessionExpired, ((Failure) ask(1, update)).code());
    nodes.get(1).alive = false;
    run(200);
    assertEquals(second, open(primary()), "the new primary knows it by its nonce");
    assertEquals(FailureCode.SessionExpired, ((Failure) ask(primary(), update)).code());
    agree();
  }

  @Test
  void tooLargeExecutionIsRolledBackAndItsFailureStored() {
    open(1);
    nodes.get(1).changes = List.of(new StateChange("huge", new byte[2_001]));
    assertEquals(FailureCode.TooLarge, ((Failure) ask(1, add(1, 7))).code());
    nodes.get(1).changes = List.of(
        new StateChange("a", new byte[1_500]), new StateChange("b", new byte[1_500]), new StateChange("c", new byte[900]));
    assertEquals(FailureCode.TooLarge, ((Failure) ask(1, add(2, 7))).code());
    nodes.get(1).changes = null;
    nodes.get(1).outcome = new Response((byte) 1, new byte[1_001]);
    assertEquals(FailureCode.TooLarge, ((Failure) ask(1, add(3, 7))).code());
    nodes.get(1).outcome = null;
    assertEquals(3, nodes.get(1).undone.size());
    int executed = nodes.get(1).executed.size();
    for (int sequence = 1; sequence <= 3; sequence++) {
      assertEquals(FailureCode.TooLarge, ((Failure) ask(1, add(sequence, 7))).code());
    }
    assertEquals(executed, nodes.get(1).executed.size());
    assertTrue(nodes.get(1).image.isEmpty());
    agree();
  }

  @Test
  void resourceAboveALoweredLimitCanShrinkStepByStep() {
    open(1);
    nodes.get(1).changes = List.of(new StateChange("large", new byte[1_900]));
    assertEquals(Reply.class, ask(1, add(1, 7)).getClass());
    nodes.get(1).alive = false;
    run(200);
    int[] sizes = {1_901, 1_900, 1_500, 1_501};
    for (int i = 0; i < sizes.length; i++) {
      nodes.get(2).changes = List.of(new StateChange("large", new byte[sizes[i]]));
      Object answer = ask(2, add(2 + i, 7));
      assertEquals(i == 0 || i == 3, answer instanceof Failure, sizes[i] + " bytes: " + answer);
    }
    agree();
  }

  @Test
  void fullGroupCanBeEmptied() {
    open(1);
    int sequence = 1;
    Object answer;
    do {
      nodes.get(1).changes = List.of(new StateChange("r" + sequence, new byte[1_900]));
      answer = ask(1, add(sequence++, 7));
    } while (answer instanceof Reply && sequence < 50);
    assertEquals(FailureCode.Overloaded, ((Failure) answer).code());
    assertEquals(1, nodes.get(1).undone.size());
    assertEquals(FailureCode.Overloaded, ((Failure) ask(1, add(sequence - 1, 7))).code(), "nothing is stored: it executes");
    assertEquals(2, nodes.get(1).undone.size());
    nodes.get(1).changes = List.of(new StateChange("log", new byte[1_900]));
    assertEquals(Reply.class, ask(1, Request.internalUpdate()).getClass(), "the group's own update");
    nodes.get(1).changes = List.of(new StateChange("r1", new byte[1_900]));
    assertEquals(Reply.class, ask(1, add(sequence, 7)).getClass(), "it does not grow");
    nodes.get(1).changes = List.of(new StateChange("r1", null), new StateChange("r2", null), new StateChange("log", null));
    assertEquals(Reply.class, ask(1, add(sequence + 1, 7)).getClass());
    nodes.get(1).changes = List.of(new StateChange("r1", new byte[1_900]));
    assertEquals(Reply.class, ask(1, add(sequence + 2, 7)).getClass());
    agree();
  }

  private Object writeByService(String key, int bytes) {
    nodes.get(1).changes = List.of(new StateChange(key, bytes < 0 ? null : new byte[bytes]));
    Object answer = ask(1, Request.serviceUpdate());
    nodes.get(1).changes = null;
    return answer;
  }

  @Test
  void theServicesOwnUpdatesStopAtTheLimitAndNotAtAShare() {
    int count = 0;
    while (count < 50 && writeByService("own" + count, 600) instanceof Reply) {
      count++;
    }
    assertEquals(9, count, "all of 10,000 bytes; a caller gets half");
    Failure full = (Failure) writeByService("more", 600);
    assertEquals(FailureCode.Overloaded, full.code());
    assertTrue(full.sentence().contains("above the limit of 10000 (understudy.state.bytes)"), full.sentence());
    refused(writeByService("own0", 1_200));
    admitted(writeByService("own0", 500));
    admitted(write(1, Request.INTERNAL, "log", 600));
    admitted(writeByService("own1", -1));
    admitted(writeByService("own2", -1));
    admitted(writeByService("own1", 600));
    agree();
  }

  @Test
  void theServicesOwnUpdatesAddNoKeysBeyondTheirLimit() {
    for (int i = 0; i < 6; i++) {
      admitted(writeByService("point/" + i, 10));
    }
    Failure full = (Failure) writeByService("point/6", 10);
    assertEquals("The group would have 7 points, above the limit of 6 (points). Nothing was changed; destroy some, or try again later.",
        full.sentence());
    admitted(writeByService("point/0", 20));
    // As the call that a reply causes: one is added and one is removed.
    nodes.get(1).changes = List.of(new StateChange("point/0", null), new StateChange("point/6", new byte[10]));
    admitted(ask(1, Request.serviceUpdate()));
    agree();
  }

  private Object write(int node, String owner, String key, int bytes) {
    nodes.get(node).changes = List.of(new StateChange(key, bytes < 0 ? null : new byte[bytes]));
    Object answer = ask(node, new Request(null, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "", owner));
    nodes.get(node).changes = null;
    return answer;
  }

  private void refused(Object answer) {
    assertEquals(FailureCode.Overloaded, ((Failure) answer).code());
  }

  private static void admitted(Object answer) {
    assertEquals(Reply.class, answer.getClass(), String.valueOf(answer));
  }

  /** The number from which an owner is refused: keys are the prefix with 0, 1 and so on. */
  private int fill(int node, String owner, String prefix, int bytes) {
    int count = 0;
    while (write(node, owner, prefix + count, bytes) instanceof Reply) {
      count++;
    }
    return count;
  }

  @Test
  void onlyTheOwnerBeyondItsShareOfTheStateIsRefused() {
    assertEquals(4, fill(1, "flood", "f", 600), "of 10,000 bytes it gets half");
    admitted(write(1, "ann", "ann", 600));
    assertEquals(4, fill(1, "second flood", "s", 600), "all but what ann has");
    admitted(write(1, "bob", "bob", 100));
    refused(write(1, "flood", "f0", 601));
    refused(write(1, "ann", "f0", 601));
    admitted(write(1, "ann", "f0", 600));
    admitted(write(1, "flood", "f0", 599));
    admitted(write(1, "ann", "f1", -1));
    agree();
  }

  @Test
  void sharesSurviveFailoverAndStateTransfer() {
    fill(1, "flood", "f", 600);
    for (int number = 1; number <= size; number++) {
      nodes.get(number).alive = false;
      run(200);
      refused(write(primary(), "flood", "g", 600));
      start(number, nodes.get(number).disk, 100 + number);
      run(200);
    }
    refused(write(primary(), "flood", "g", 600));
    admitted(write(primary(), "ann", "g", 600));
    agree();
  }

  @Test
  void keysOfALimitedKindAreSharedByNumber() {
    assertEquals(3, fill(1, "flood", "point/f", 1), "half of six");
    assertEquals(3, fill(1, "second flood", "point/s", 1));
    admitted(write(1, "ann", "point/ann", 1));
    refused(write(1, "ann", "point/ann2", 1));
    admitted(write(1, "flood", "point/f0", 2));
    admitted(write(1, "flood", "point/f0", -1));
    refused(write(1, "flood", "point/f5", 1));
    agree();
  }

  @Test
  void creatorOfTheParentPaysForItsParts() {
    admitted(write(1, "flood", "point/f", 1));
    admitted(write(1, "ann", "point/ann", 1));
    int parts = 0;
    while (write(1, Request.INTERNAL, "in/f/" + parts, 600) instanceof Reply) {
      parts++;
    }
    assertEquals(4, parts, "of half of 10,000 bytes");
    refused(write(1, "ann", "in/f/x", 600));
    admitted(write(1, Request.INTERNAL, "in/ann/1", 600));
    admitted(write(1, Request.INTERNAL, "common", 600));
    admitted(write(1, Request.INTERNAL, "in/f/0", -1));
    admitted(write(1, Request.INTERNAL, "in/f/y", 500));
    agree();
  }

  @Test
  void lastWriterPaysForSharedKeys() {
    assertEquals(4, fill(1, "flood", "current/f", 600));
    admitted(write(1, "ann", "current/f0", 600));
    admitted(write(1, "flood", "other", 500));
    admitted(write(1, "ann", "common", 500));
    assertEquals(3, fill(1, "ann", "a", 600), "one current message and three of ann's own; what is common counts nobody's");
    agree();
  }

  @Test
  void unacknowledgedRepliesOfASessionAreBoundedInBytes() {
    open(1);
    nodes.get(1).outcome = new Response((byte) 1, new byte[900]);
    int sequence = 1;
    while (ask(1, add(sequence, 7)) instanceof Reply && sequence < 50) {
      sequence++;
    }
    assertTrue(sequence <= 3, "replies kept: " + sequence);
    Request acknowledges = new Request(
        new RequestKey.OfSession(session, 60), 7, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 60, "");
    assertEquals(Reply.class, ask(1, acknowledges).getClass());
    agree();
  }

  @Test
  void onlyTheOwnerBeyondItsShareOfPlacesIsRefused() {
    Reply added = (Reply) ask(1, named(1, "ann"));
    run(20);
    VersionHandle future = VersionHandle.ofGroup(added.handle().epoch(), VersionHandle.MAX);
    for (int i = 0; i < 10; i++) {
      assertNull(ask(2, new Request(null, 0, Request.Kind.READ, ReadLevel.SESSION, future, 0, "", "flood")));
    }
    assertEquals(
        FailureCode.Overloaded,
        ((Failure) ask(2, new Request(null, 0, Request.Kind.READ, ReadLevel.SESSION, future, 0, "", "flood"))).code());
    assertNull(ask(2, new Request(null, 0, Request.Kind.READ, ReadLevel.SESSION, future, 0, "", "ann")));
    assertThrows(IllegalArgumentException.class, () -> VersionHandle.ofGroup(1, VersionHandle.MAX + 1));
  }

  @Test
  void unusedSessionHasAShorterLease() {
    SessionId used = open(1);
    ask(1, add(1, 7));
    Request nonce = opening(3);
    SessionId unused = SessionId.ofBytes(((Reply) ask(1, nonce)).response().body());
    run(8_400);
    assertNotEquals(unused, SessionId.ofBytes(((Reply) ask(1, nonce)).response().body()), "30 s have passed, and more");
    assertEquals(used, session);
    assertEquals(Reply.class, ask(1, add(2, 8)).getClass());
  }

  @Test
  void sessionDoesNotExpireDuringAnExecution() {
    open(1);
    nodes.get(1).slow = true;
    long token = nextToken;
    assertNull(ask(1, add(1, 7)));
    run(20_000);
    Response response = new Response((byte) 1, new byte[1]);
    nodes.get(1).step(new Input.Executed(token, Map.of(), response, List.of()));
    deliver();
    assertEquals(response, ((Reply) answers.get(token)).response());
    assertEquals(Reply.Status.REPLAYED, ((Reply) ask(1, add(1, 7))).status());
  }

  @Test
  void readsKeepASessionAlive() {
    open(1);
    for (int i = 0; i < 80; i++) {
      run(200);
      Request read = new Request(
          new RequestKey.OfSession(session, 1), 0, Request.Kind.READ, ReadLevel.LINEARIZABLE, VersionHandle.INITIAL, 0, "");
      assertEquals(Reply.class, ask(1, read).getClass());
    }
    for (int i = 0; i < 80; i++) {
      run(200);
      Request read = new Request(
          new RequestKey.OfSession(session, 1), 0, Request.Kind.READ, ReadLevel.SESSION, VersionHandle.INITIAL, 0, "");
      assertEquals(Reply.class, ask(2, read).getClass(), "at a backup");
    }
    run(16_000);
    assertEquals(FailureCode.SessionExpired, ((Failure) ask(1, add(1, 7))).code());
  }

  @Test
  void readThatOutlastsAPromotionIsAnsweredOnlyWhenStable() {
    open(1);
    ask(1, add(1, 7));
    run(20);
    nodes.get(2).slow = true;
    long token = nextToken;
    assertNull(ask(2, read(ReadLevel.LOCAL, VersionHandle.INITIAL)));
    nodes.get(1).alive = false;
    run(200);
    assertEquals(2, primary());
    nodes.get(2).step(new Input.Executed(token, Map.of(), new Response((byte) 1, new byte[1]), List.of()));
    assertEquals(FailureCode.NotReady, ((Failure) answers.get(token)).code());
  }

  @Test
  void readsOfEveryLevel() {
    open(1);
    Reply added = (Reply) ask(1, add(1, 7));
    run(20);
    assertEquals(Reply.Status.READ, ((Reply) ask(1, read(ReadLevel.LINEARIZABLE, added.handle()))).status());
    assertEquals(Reply.Status.READ, ((Reply) ask(2, read(ReadLevel.SESSION, added.handle()))).status());
    assertEquals(Reply.Status.READ, ((Reply) ask(3, read(ReadLevel.LOCAL, added.handle()))).status());
    assertEquals(FailureCode.NotPrimary, ((Failure) ask(3, read(ReadLevel.LINEARIZABLE, added.handle()))).code());
  }

  private static Request read(ReadLevel level, VersionHandle seen) {
    return new Request(null, 0, Request.Kind.READ, level, seen, 0, "");
  }
}
