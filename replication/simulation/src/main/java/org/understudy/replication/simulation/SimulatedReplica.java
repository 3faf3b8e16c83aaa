package org.understudy.replication.simulation;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.session.SessionActivity;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.time.ClockReading;
import org.understudy.replication.core.transfer.TransferMessage;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Proposal;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.ReplicaHost;
import org.understudy.replication.runtime.codec.MalformedMessageException;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.replication.runtime.codec.MessageWriter;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.replication.runtime.peer.PeerChannel;
import org.understudy.replication.runtime.peer.PeerReceiver;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.replication.simulation.checker.Operation;
import org.understudy.test.strategy.ReconsideringCore;
import org.understudy.test.strategy.WrappedStrategy;

/**
 * One replica: its disk across all incarnations, and the current incarnation's {@link Replica} of production with a
 * service, on simulated clocks, timer, disk and network.
 *
 * <p>More than 400 lines because disk, clocks, network and service of one replica fail together.
 */
public final class SimulatedReplica {
  private static final long SMALL_MESSAGE_BYTES = 100;

  private final Simulation simulation;
  private final World world;
  private final int number;
  private Recovered disk = Recovered.NOTHING;
  /** The records that are being stored. */
  private List<DurableRecord> storing = List.of();
  /** Whether the disk finishes nothing, across incarnations. */
  private boolean diskHangs;
  /** What it finishes as soon as it answers. */
  private final ArrayDeque<Runnable> unfinished = new ArrayDeque<>();
  /** Unique for all its disks. */
  private long acceptedEpoch;
  private long life;

  /** Null while it is down. */
  private Replica replica;
  private WatchedCore core;
  private SimulatedClock clock;
  private SimulatedService service;
  private Runnable whenPromised;
  private Runnable beforeSecondStep;
  private Predicate<Message> suppressed = message -> false;
  private long slowestTick;
  private long slowestSecondStep;
  /** The wire versions of the installed build. */
  private WireVersions wire = WireVersions.CURRENT;
  /** The replicas that this incarnation has configured. */
  private List<ReplicaId> listed = List.of();
  private boolean paused;
  /** When the second step of the last one that has requested it is done, if that is later. */
  private long secondStepAt;
  private final ArrayDeque<Runnable> missed = new ArrayDeque<>();
  private final Map<String, byte[]> image = new TreeMap<>();
  /** Resources in parts of a state that have arrived since it was last asked to count. */
  private long resourcesReceived;

  SimulatedReplica(Simulation simulation, int number) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.number = number;
  }

  // ------------------------------------------------------------------------------------------------ life

  void start() {
    start(simulation.configured());
  }

  /** Installs another build, which runs from the next start. */
  void install(WireVersions versions) {
    wire = versions;
  }

  /** Starts with its own list of replicas. */
  void start(List<ReplicaId> replicas) {
    listed = List.copyOf(replicas);
    life++;
    clock = new SimulatedClock(world, simulation.hasSteadyClocks());
    world.trace("%d starts, disk %s", number, disk);
    service = new SimulatedService(this, world);
    try {
      WrappedStrategy strategy = new WrappedStrategy(simulation.strategy(), this::watched);
      replica =
          Replica.prepare(
              simulation.settings(number, listed).with(wire), strategy, new Channels(new Channel(), simulation.groupChannel(this)),
              new Host(), simulation.rules());
    } catch (IOException e) {
      throw new IllegalStateException("Simulated disks can be read.", e);
    }
    if (database() != null) {
      replica.decideBy(new SimulatedDecisions(this, database(), service::reload), database().hasWhole());
    }
    replica.join();
    replica.observe(new Follower());
    simulation.started(this);
  }

  public int number() {
    return number;
  }

  /** The incarnation; null while it is down. */
  public Replica replica() {
    return replica;
  }

  public boolean isUp() {
    return replica != null;
  }

  /** Null while it is down. */
  Role role() {
    return replica == null ? null : replica.role();
  }

  /** Why the view does not admit this replica, as its health reports; null if it may or is down. */
  String refusal() {
    return replica == null ? null : replica.status().refusal();
  }

  /** Whether its health page, if it answers, shows a writable primary. */
  boolean isWritablePrimary() {
    return replica != null && !paused && core.isWritablePrimary(clock.now(), clock.wall());
  }

  /** Whether its health page, if it answers, shows that it executes updates. */
  boolean isWritable() {
    return replica != null && replica.status().writable();
  }

  /** How far it takes the clocks of the group to be ahead of its monotonic clock. */
  ClockReading clocks() {
    return core.clocks();
  }

  /** The number of open sessions. */
  int sessions() {
    return replica == null ? 0 : replica.status().sessions();
  }

  /** Of the replicated state. */
  long digest() {
    return replica == null ? 0 : replica.digest();
  }

  View view() {
    return replica == null ? View.NONE : replica.view();
  }

  void crash(boolean diskToo) {
    world.trace("%d crashes, disk lost: %s", number, diskToo);
    if (simulation.keepsJournals() && !storing.isEmpty()) {
      // A crash while records are being stored: some of them may be durable.
      disk = disk.with(storing.subList(0, world.pick(storing.size() + 1)));
    }
    die();
    if (diskToo && simulation.keepsJournals() && world.chance(0.5)) {
      // Only the journal is lost.
      MembershipRecord kept = MembershipRecord.of(disk);
      disk = kept.promisedEpoch() == 0 ? Recovered.NOTHING : Recovered.NOTHING.with(kept);
    } else if (diskToo) {
      disk = Recovered.NOTHING;
    }
    for (int other = 1; other <= simulation.size(); other++) {
      if (other != number && world.chance(0.7)) {
        int informed = other;
        world.after(world.between(1_000_000, 20_000_000), () -> simulation.replica(informed).suspect(number));
      }
    }
  }

  private void die() {
    life++;
    replica = null;
    whenPromised = null;
    beforeSecondStep = null;
    paused = false;
    missed.clear();
    unfinished.clear();
    storing = List.of();
    image.clear();
  }

  /** Makes a later step throw after this many effects; a replica that threw is dead until it is restarted. */
  void throwAfter(int effects) {
    if (replica != null) {
      core.throwAfter(effects);
    }
  }

  /** The wire version of the view that it leads. */
  int wireOfView() {
    return core.wire();
  }

  boolean mayThrow() {
    return replica != null && core.mayThrow();
  }

  /** Sends none of these messages from now on. */
  void suppress(Predicate<Message> unsent) {
    suppressed = unsent;
  }

  /** Loses the next message in which it reports active sessions. */
  void loseNextReport() {
    boolean[] lost = new boolean[1];
    suppressed = message -> {
      boolean loses = !lost[0] && message instanceof SessionActivity;
      lost[0] |= loses;
      return loses;
    };
  }

  /** Delays its ticks to this time from now on. */
  void tickEvery(long nanos) {
    slowestTick = nanos;
  }

  /** Delays its second steps by this time from now on. */
  void secondStepsTake(long nanos) {
    slowestSecondStep = nanos;
  }

  /** Of the present life. */
  long incarnation() {
    return life * 1_000 + number;
  }

  /** Runs as soon as this incarnation has sent a promise. */
  void whenPromised(Runnable what) {
    whenPromised = what;
  }

  /** Runs once, when this incarnation has sent an update, or acknowledged one, and has left work for the step after that. */
  void beforeSecondStep(Runnable what) {
    beforeSecondStep = what;
  }

  /** Whether its disk has this record, or one that supersedes it. */
  boolean keeps(DurableRecord record) {
    return disk.all(record.kind()).stream().anyMatch(kept -> kept.equals(record) || kept.supersedes(record));
  }

  /** The highest epoch of a view that it has ever accepted and stored. */
  long acceptedEpoch() {
    return acceptedEpoch;
  }

  /** The clocks of the present life. */
  SimulatedClock clock() {
    return clock;
  }

  void pause() {
    paused = replica != null;
    world.trace("%d pauses", number);
  }

  /** Pauses like a suspended virtual machine: its monotonic clock stands still. */
  void suspend() {
    if (core != null) {
      clock.suspend();
      pause();
    }
  }

  void resume() {
    world.trace("%d resumes", number);
    paused = false;
    if (clock != null) {
      clock.go();
    }
    while (!missed.isEmpty() && !paused) {
      missed.poll().run();
    }
  }

  /** What is being stored, and what follows, is not durable until {@link #diskAnswers}. */
  void hangDisk() {
    world.trace("the disk of %d hangs", number);
    diskHangs = true;
  }

  void diskAnswers() {
    world.trace("the disk of %d answers", number);
    diskHangs = false;
    for (Runnable end = unfinished.poll(); end != null; end = unfinished.poll()) {
      after(0, end);
    }
  }

  /** Runs a task after a while in this incarnation, and not during a pause. */
  public void after(long nanos, Runnable what) {
    long mine = life;
    world.after(nanos, () -> whenRunning(mine, what));
  }

  private void whenRunning(long mine, Runnable what) {
    if (mine != life || replica == null) {
      return;
    }
    if (paused) {
      missed.add(() -> whenRunning(mine, what));
      return;
    }
    what.run();
    if (replica != null && replica.halted() != null) {
      world.trace("%d has halted", number);
      die();
    }
  }

  // ------------------------------------------------------------------------------------------------ inputs

  /** A hint that another replica's process is gone. */
  void suspect(int other) {
    whenRunning(life, () -> replica.suspected(new ReplicaId(other)));
  }

  void receive(int from, List<Message> messages) {
    whenRunning(life, () -> {
      messages.forEach(this::count);
      ReplicaId sender = new ReplicaId(from);
      secondStepAt = 0;
      if (!simulation.answersInResponses()) {
        replica.received(sender, messages, null);
      } else if (world.chance(0.5)) {
        // Like sockets, where an acknowledgement can return on the connection of its update.
        replica.received(sender, messages, answers -> respond(sender, List.copyOf(answers)));
      } else {
        // Like the transfer modes whose messages travel in calls: resulting messages return in the response.
        List<Message> answers = new ArrayList<>();
        replica.received(sender, messages, answers::addAll);
        respond(sender, answers);
      }
    });
  }

  /** The thread that has received messages responds when it has done the second step, too. */
  private void respond(ReplicaId to, List<Message> answers) {
    long left = secondStepAt - world.now();
    if (answers.isEmpty()) {
      return;
    }
    if (left > 0) {
      after(left, () -> transmit(to, answers));
    } else {
      transmit(to, answers);
    }
  }

  private void count(Message message) {
    if (message instanceof TransferMessage.Snapshot part) {
      resourcesReceived += part.items().stream().filter(Item.Resource.class::isInstance).count();
    }
  }

  /** Counts from zero. */
  void countResources() {
    resourcesReceived = 0;
  }

  /** The resources that state transfers have brought since it was last asked to count. */
  long resourcesReceived() {
    return resourcesReceived;
  }

  void survey() {
    whenRunning(life, () -> replica.survey());
  }

  List<SurveyedReplica> surveyed() {
    return replica.surveyed();
  }

  /** @param answer takes a Reply or a Failure */
  void recover(Map<ReplicaId, Long> lost, Consumer<Object> answer) {
    whenRunning(life, () -> replica.recover(lost, new Call() {
      @Override
      public void execute(long token, Request.Kind kind) {
        throw new IllegalStateException("A recovery executes nothing.");
      }

      @Override
      public void reply(Reply reply) {
        answer.accept(reply);
      }

      @Override
      public void fail(Failure failure) {
        answer.accept(failure);
      }
    }));
  }

  void request(Attempt attempt) {
    whenRunning(life, () -> replica.submit(attempt.request(), new ClientCall(attempt)));
  }

  /** A client's call at this replica, as the container makes one. */
  private final class ClientCall implements Call {
    private final Attempt attempt;

    ClientCall(Attempt attempt) {
      this.attempt = attempt;
    }

    @Override
    public void execute(long token, Request.Kind kind) {
      service.execute(token, attempt.operation());
    }

    @Override
    public void reply(Reply reply) {
      simulation.replies().delivered(number, reply);
      simulation.replied();
      attempt.answer().accept(reply);
    }

    @Override
    public void fail(Failure failure) {
      world.trace("%d refuses %s: %s", number, attempt.request(), failure);
      attempt.answer().accept(failure);
    }
  }

  // ------------------------------------------------------------------------------------------------ the service's side

  byte[] state(String resource) {
    return replica.state(resource);
  }

  long stateVersion(String resource) {
    return replica.stateVersion(resource);
  }

  long version(String resource) {
    return replica.version(resource);
  }

  long nextExecution() {
    return simulation.nextExecution();
  }

  /** The wire version in which what it executes now is replicated. */
  int wire() {
    return replica.wire();
  }

  boolean isCopying() {
    return simulation.isCopying();
  }

  /** How long the method of this operation takes at least. */
  long methodNanos(Operation operation) {
    return simulation.methodNanos(operation);
  }

  /** Counts requests that wait for a run on the same resource. */
  void waits(int more) {
    simulation.work().waits += more;
  }

  boolean executionsFail() {
    return simulation.executionsFail();
  }

  /** Null when the service has no state in a database. */
  SimulatedDatabase database() {
    return simulation.database();
  }

  void violation(String checker, String what) {
    simulation.history().violation(checker, "at replica " + number + " " + what);
  }

  void aborted(long token, Proposal proposal) {
    replica.aborted(token, proposal);
  }

  void executed(
      long token, Map<String, Long> versions, Outcome outcome, List<StateChange> changes, Proposal proposal) {
    replica.executed(token, versions, outcome, changes, proposal);
  }

  // ------------------------------------------------------------------------------------------------ surroundings

  private void transmit(ReplicaId to, List<Message> messages) {
    List<Message> sent = new ArrayList<>(messages);
    sent.removeIf(suppressed);
    if (sent.isEmpty() || !fitsFrame(sent) || !isConnectedTo(simulation.replica(to.number()))) {
      return;
    }
    WireVersions reads = simulation.replica(to.number()).wire;
    sent.forEach(this::checkForms);
    List<Message> arriving =
        simulation.encodesMessages() || !reads.equals(WireVersions.CURRENT) ? decoded(sent, reads) : sent;
    SimulatedReplica receiver = simulation.replica(to.number());
    long connected = receiver.incarnation();
    long bytes = sent.stream().mapToLong(SimulatedReplica::bytes).sum();
    simulation.network().send(number, to.number(), bytes, () -> {
      // A connection does not outlive its processes, however late it delivers.
      if (receiver.incarnation() == connected || !simulation.network().outlivesCuts()) {
        receiver.receive(number, arriving);
      }
    });
    boolean promised = sent.stream().anyMatch(MembershipMessage.Promise.class::isInstance);
    if (promised && whenPromised != null) {
      world.after(0, whenPromised);
      whenPromised = null;
    }
  }

  /** Approximately: messages without content have a large bound in common. */
  private static long bytes(Message message) {
    return message.encodedBytes() == Message.SMALL_BYTES ? SMALL_MESSAGE_BYTES : message.encodedBytes();
  }

  /** Checks that no response has a newer form than the message that contains it. */
  private void checkForms(Message message) {
    if (message instanceof OrderMessage.Update update) {
      checkForm(update.update().outcome(), update.wire());
    } else if (message instanceof TransferMessage.Snapshot part) {
      for (Item item : part.items()) {
        if (item instanceof Item.StoredReply reply) {
          checkForm(reply.outcome(), part.wire());
        } else if (item instanceof Item.Unstable unstable) {
          checkForm(unstable.update().outcome(), part.wire());
        }
      }
    }
  }

  private void checkForm(Outcome outcome, int written) {
    if (outcome instanceof Response response && response.format() > written) {
      simulation.history().violation(
          "forms", "a response of form " + response.format() + " is sent in wire version " + written + " by replica " + number);
    }
  }

  private boolean isConnectedTo(SimulatedReplica other) {
    return !simulation.rules().contains(Rule.REPLICA_LISTS_AGREE)
        || (listed.equals(other.listed) && wire.equals(other.wire))
        || SimulatedHandshake.succeed(
            SimulatedHandshake.credentials(new ReplicaId(number), listed, wire),
            SimulatedHandshake.credentials(new ReplicaId(other.number), other.listed, other.wire));
  }

  /** The messages as the other side decodes them from the encoded bytes. */
  private List<Message> decoded(List<Message> messages, WireVersions reads) {
    MessageWriter writer = new MessageWriter(0);
    long max = 0;
    for (Message message : messages) {
      writer.write(message);
      max += message.encodedBytes();
    }
    byte[] bytes = writer.toBytes();
    if (bytes.length > max) {
      simulation.history().violation("frames", bytes.length + " bytes, not " + max + " at most, for " + messages);
    }
    try {
      return MessageFormat.ofPeers(simulation.strategy().messages(), reads).readAll(bytes, 0, bytes.length);
    } catch (MalformedMessageException e) {
      simulation.history().violation("frames", "what was written cannot be read: " + e.getMessage() + " in " + messages);
      return List.of();
    }
  }

  /** Like a receiver's frames, which are as small as a batch here: a larger one ends the connection every time. */
  private boolean fitsFrame(List<Message> messages) {
    long bytes = 0;
    for (Message message : messages) {
      bytes += message.encodedBytes();
    }
    return messages.size() == 1 || bytes <= simulation.limits().sizes().batchBytes();
  }

  private ReplicaCore watched(ReplicaCore strategy) {
    ReplicaCore decides = simulation.reconsiders() ? new ReconsideringCore(strategy, this::decision, () -> {}) : strategy;
    core = new WatchedCore(decides, number, simulation);
    return core;
  }

  private ReconsideringCore.Decision decision() {
    if (world.chance(0.1)) {
      return world.chance(0.5) ? ReconsideringCore.Decision.AGAIN : ReconsideringCore.Decision.AGAIN_LATER;
    }
    return world.chance(0.1) ? ReconsideringCore.Decision.LATER : ReconsideringCore.Decision.AT_ONCE;
  }

  private final class Channel implements PeerChannel {
    @Override
    public String name() {
      return "simulated";
    }

    @Override
    public void open(PeerReceiver receiver) {
      // The world delivers the messages itself.
    }

    @Override
    public void start() {
      // There is nothing to start.
    }

    @Override
    public void send(ReplicaId to, List<Message> messages) {
      transmit(to, messages);
    }

    /** Without relays, like builds that pass nothing on. */
    @Override
    public int wire(ReplicaId peer) {
      return simulation.relays() ? Math.min(wire.newest(), simulation.replica(peer.number()).wire.newest()) : 0;
    }

    @Override
    public void close() {
      // There is nothing to close.
    }
  }

  private final class Host implements ReplicaHost {
    @Override
    public long monotonicNanos() {
      return clock.now();
    }

    @Override
    public long wallNanos() {
      return clock.wall();
    }

    @Override
    public long incarnation() {
      return SimulatedReplica.this.incarnation();
    }

    @Override
    public boolean keepsRecords() {
      return true;
    }

    @Override
    public Recovered recovered() {
      return disk.with(List.of());
    }

    @Override
    public void store(List<DurableRecord> records, Runnable stored, Consumer<Throwable> failed) {
      storing = records;
      after(world.between(100_000, 8_000_000), () -> finish(records, stored));
    }

    private void finish(List<DurableRecord> records, Runnable stored) {
      if (diskHangs) {
        unfinished.add(() -> finish(records, stored));
        return;
      }
      disk = disk.with(records);
      storing = List.of();
      acceptedEpoch = Math.max(acceptedEpoch, MembershipRecord.of(disk).accepted().epoch());
      stored.run();
    }

    /** Often later: other threads have stepped the replica meanwhile, or it has crashed. */
    @Override
    public void stepAgain(Runnable step) {
      long delay = Math.max(simulation.secondSteps().delay(), slowestSecondStep);
      Runnable before = beforeSecondStep;
      beforeSecondStep = null;
      if (before != null) {
        after(0, before);
        after(0, step);
      } else if (delay == 0) {
        step.run();
      } else {
        secondStepAt = world.now() + delay;
        after(delay, step);
      }
    }

    @Override
    public void tick(Runnable tick, long pauseNanos) {
      after(0, () -> {
        tick.run();
        after(Math.max(pauseNanos, slowestTick), () -> tick(tick, pauseNanos));
      });
    }

    @Override
    public void close() {
      // An incarnation ends with its replica.
    }
  }

  /** Keeps the image as a listener of the replica receives it. */
  private final class Follower implements StateListener {
    @Override
    public void onChange(String key, byte[] state) {
      if (state != null && state.length > SimulatedLimits.RESOURCE_BYTES) {
        simulation.history().violation("limits", key + " has " + state.length + " bytes");
      }
      if (state == null) {
        image.remove(key);
      } else {
        image.put(key, state);
      }
    }

    @Override
    public void onReset() {
      image.clear();
    }
  }

  /** The state of every resource as this replica shows it. */
  Map<String, byte[]> image() {
    return Collections.unmodifiableMap(image);
  }

  String describe() {
    return "replica " + number + ": " + (replica == null ? "down" : replica.status().toString()) + " disk " + disk;
  }
}
