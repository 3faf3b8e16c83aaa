package org.understudy.replication.core.group;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;

/** Three cores of the strategy {@code group} over a reliable network. A test decides when a method returns, and with what. */
final class Members {
  private static final long STEP = 5_000_000;
  private static final int SIZE = 3;

  private final Map<Integer, Node> nodes = new TreeMap<>();
  private final ArrayDeque<Runnable> network = new ArrayDeque<>();
  private final Map<Long, Object> answers = new TreeMap<>();
  private Predicate<Message> lost = message -> false;
  private final Set<List<Integer>> cut = new HashSet<>();
  private long now = 1_000_000_000L;
  private long nextToken = 1;

  /** Forms the first view, with replica 1 as the sequencer. */
  Members(Limits... limits) {
    this(false, limits);
  }

  private Members(boolean journal, Limits... limits) {
    for (int number = 1; number <= SIZE; number++) {
      nodes.put(number, new Node(number, limits[(number - 1) % limits.length], journal));
    }
    run(100);
  }

  static Members withJournals() {
    return new Members(true, Limits.DEFAULTS);
  }

  /** One replica. */
  final class Node implements Effects {
    final ReplicaId id;
    final ReplicaCore core;
    final List<Message> sent = new ArrayList<>();
    final List<Long> running = new ArrayList<>();
    /** What it has logged. */
    final List<String> lines = new ArrayList<>();
    /** The indexes of the updates that it has applied without a run of its own. */
    final List<Long> applied = new ArrayList<>();
    int executions;
    int rollbacks;
    private Recovered disk = Recovered.NOTHING;
    private boolean alive = true;
    private final List<Runnable> later = new ArrayList<>();
    private final List<Runnable> unsynced = new ArrayList<>();
    /** Whether the journal syncs nothing. */
    private boolean stalled;
    private boolean channel;
    private long channelViews;
    Role role = Role.JOINING;

    Node(int number, Limits limits, boolean journal) {
      this.id = new ReplicaId(number);
      List<ReplicaId> all = new ArrayList<>();
      for (int i = 1; i <= SIZE; i++) {
        all.add(new ReplicaId(i));
      }
      Timing timing = Timing.of(Duration.ofMillis(50), Duration.ofMillis(500));
      core = new GroupReplication().open(new ReplicaSetup(id, all, disk, number, timing, limits, Rule.ALL).withJournal(journal));
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
      sent.add(message);
      if (!lost.test(message) && !cut.contains(List.of(id.number(), to.number()))) {
        network.add(() -> nodes.get(to.number()).step(new Input.Received(id, message)));
      }
    }

    @Override
    public void stepAgain() {
      later.add(() -> step(new Input.Continued()));
    }

    @Override
    public void execute(long token, Request.Kind kind) {
      executions++;
      running.add(token);
    }

    @Override
    public void rollback(long token) {
      rollbacks++;
    }

    @Override
    public void commit(long token, long version, List<StateChange> changes) {
      // The state of the core is compared, not the live objects.
    }

    @Override
    public void reply(long token, Reply reply) {
      answer(token, reply);
    }

    @Override
    public void fail(long token, Failure failure) {
      answer(token, failure);
    }

    private void answer(long token, Object answer) {
      if (answers.putIfAbsent(token, answer) != null) {
        throw new AssertionError("Token " + token + " is answered twice, now by " + answer);
      }
    }

    @Override
    public void store(long token, DurableRecord record) {
      disk = disk.with(record);
      later.add(() -> step(new Input.Stored(token)));
    }

    @Override
    public void append(long token, DurableRecord journaled) {
      (stalled ? unsynced : later).add(() -> step(new Input.Stored(token)));
    }

    /** The journal syncs nothing from now on. */
    void stall() {
      stalled = true;
    }

    /** The journal syncs all that it has. */
    void sync() {
      stalled = false;
      List.copyOf(unsynced).forEach(Runnable::run);
      unsynced.clear();
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
      if (!channel) {
        throw new AssertionError("The order is the replicas' own.");
      }
    }

    /** Its group channel has another view from now on. The channel delivers nothing. */
    void channelReaches(Integer... replicas) {
      channel = true;
      step(new Input.ViewInstalled(new GroupView(++channelViews, Stream.of(replicas).map(ReplicaId::new).toList())));
    }

    @Override
    public void changed(Role next, View view) {
      role = next;
    }

    @Override
    public void applied(long version, List<StateChange> changes) {
      applied.add(version);
    }

    @Override
    public void stable(long index) {
      // Nothing waits for it here.
    }

    @Override
    public void receiving(int part, long version, List<StateChange> resources) {
      // The state of the core is compared, not the image.
    }

    @Override
    public void replaced(long version) {
      // The state of the core is compared, not the image.
    }
  }

  Node node(int number) {
    return nodes.get(number);
  }

  void crash(int number) {
    nodes.get(number).alive = false;
  }

  /** Continues a replica that was stopped. */
  void resume(int number) {
    nodes.get(number).alive = true;
  }

  /** Loses these messages from now on. */
  void lose(Predicate<Message> some) {
    lost = some;
  }

  /** Loses what one replica sends to another from now on. */
  void cut(int from, int to) {
    cut.add(List.of(from, to));
  }

  /** Lets time pass. */
  void run(int ticks) {
    for (int i = 0; i < ticks; i++) {
      now += STEP;
      nodes.values().forEach(node -> node.step(new Input.Tick()));
      deliver();
    }
  }

  void deliver() {
    while (!network.isEmpty()) {
      network.poll().run();
    }
  }

  /** Hands a request to this replica, and delivers nothing. Returns its token. */
  long ask(int node, Request request) {
    long token = nextToken++;
    nodes.get(node).step(new Input.Requested(token, request));
    return token;
  }

  void abandon(int node, long token) {
    nodes.get(node).step(new Input.Abandoned(token));
  }

  /** The method of this request takes longer than it may. */
  void overdue(int node, long token) {
    nodes.get(node).step(new Input.Overdue(token));
  }

  /** The method of this request returns, and delivers nothing. */
  void returns(int node, long token, Map<String, Long> versions, StateChange... changes) {
    returns(node, token, versions, new Response((byte) 0, new byte[] {1}), changes);
  }

  void returns(int node, long token, Map<String, Long> versions, Outcome outcome, StateChange... changes) {
    if (!nodes.get(node).running.remove(token)) {
      throw new AssertionError("Request " + token + " does not run at replica " + node);
    }
    nodes.get(node).step(new Input.Executed(token, versions, outcome, List.of(changes)));
  }

  /** The answer to a request, a Reply or a Failure; null before. */
  Object answer(long token) {
    return answers.get(token);
  }

  SessionId open(int node, long nonce) {
    long token = ask(node, opening(nonce));
    deliver();
    run(2);
    return SessionId.ofBytes(((Reply) answers.get(token)).response().body());
  }

  static Request opening(long nonce) {
    return new Request(
        new RequestKey.OfNonce(1, nonce), 0, Request.Kind.OPEN_SESSION, null, VersionHandle.INITIAL, 0, "", "caller " + nonce);
  }

  static Request update(RequestKey key, String owner) {
    return new Request(key, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "", owner);
  }

  /** An update without an identity. */
  static Request update(String owner) {
    return update(null, owner);
  }

  static Request read(ReadLevel level, VersionHandle seen) {
    return new Request(null, 0, Request.Kind.READ, level, seen, 0, "", "reader");
  }

  /** The digest of the state, which all replicas must have. */
  long digest() {
    long digest = nodes.values().stream().filter(node -> node.alive).findFirst().orElseThrow().core.digest();
    nodes.values().forEach(node -> {
      if (node.alive && node.core.digest() != digest) {
        throw new AssertionError("Replica " + node.id + " has another state");
      }
    });
    return digest;
  }
}
