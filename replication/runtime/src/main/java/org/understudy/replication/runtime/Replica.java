package org.understudy.replication.runtime;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.LoadBoard;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.replication.runtime.decision.DecisionMaker;
import org.understudy.replication.runtime.peer.AnswerWait;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.replication.runtime.peer.FrameSizes;
import org.understudy.replication.runtime.peer.PeerChannel;
import org.understudy.replication.runtime.peer.PeerReceiver;
import org.understudy.replication.runtime.peer.Relay;
import org.understudy.replication.runtime.routing.AssignedDuties;
import org.understudy.replication.runtime.routing.AssignedRouting;
import org.understudy.replication.runtime.routing.Duties;
import org.understudy.replication.runtime.routing.Routing;
import org.understudy.replication.runtime.routing.Standing;
import org.understudy.replication.runtime.routing.ViewListener;
import org.understudy.replication.runtime.state.AppliedState;
import org.understudy.replication.runtime.state.Image;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.replication.runtime.time.GroupClocks;
import org.understudy.replication.runtime.transaction.DecisionCall;
import org.understudy.replication.runtime.transaction.InDoubtListener;

/**
 * A running replica: a core, its clock, its storage and its channels. Thread-safe; no method blocks on I/O.
 *
 * <p>The thread that brings an input steps the core and carries out the effects itself, see {@link GuardedCore}. After a
 * step that threw, or a record that could not be stored, the replica has halted: it refuses every call and sends nothing to
 * its peers until its process restarts. The other replicas continue.
 *
 * <p>More than 400 lines because it is the one way to the core for all parts of a container: most methods only pass on.
 */
public final class Replica implements PeerReceiver, AppliedState, Executions, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

  private static final int OUT_OF_REACH_SUSPICIONS = 3;
  private static final List<Input> CONTINUED = List.of(new Input.Continued());

  private final RuntimeSettings settings;
  private final Channels channels;
  private final ReplicaHost host;
  private final GuardedCore core;
  private final Image image;
  private final MessageFormat format;
  private final PendingCalls calls;
  /** Null without peers. */
  private final Relay relay;
  private final OutgoingMessages messages;
  private final CallIntake intake;
  private final ViewNotifier notifier;
  private final AssignedRouting routing;
  private final AssignedDuties duties;
  private final Standings standings;
  private final Halt halt;
  private volatile IntSupplier load = () -> LoadBoard.UNKNOWN;
  /** Before the join, messages of peers are dropped, as if this replica were down. */
  private volatile boolean joined;
  private volatile boolean closed;
  private final StepEffects effects;
  private final DatabasePart database;
  private final HeardPeers heard;
  private final FirstView firstView;
  private final Runnable again = this::goOn;

  private Replica(RuntimeSettings settings, ReplicationStrategy strategy, Channels channels, ReplicaHost host, Set<Rule> rules)
      throws IOException {
    this.settings = settings;
    this.channels = channels;
    this.host = host;
    this.format = MessageFormat.ofPeers(strategy.messages(), settings.wire());
    this.calls = new PendingCalls(host::monotonicNanos, settings.requestDeadline(), settings.executionDeadline());
    this.heard = new HeardPeers(host::monotonicNanos);
    this.firstView = new FirstView(settings.name(), channels.peers(), heard);
    this.intake = new CallIntake(settings.name(), calls, this::step, this::halted);
    this.routing = new AssignedRouting(settings.self(), this::standing);
    this.duties = new AssignedDuties(settings.self(), this::standing);
    this.notifier = new ViewNotifier(settings.name(), duties);
    this.image = new Image(rules.contains(Rule.IMAGE_REMEMBERS_REMOVALS));
    this.relay = channels.peers() == null ? null : relay(rules);
    FrameSizes sizes = rules.contains(Rule.BATCHES_FIT_FRAMES) ? settings.sizes() : settings.sizes().uncut();
    this.messages = new OutgoingMessages(settings.self(), settings.configured(), channels, relay, sizes, settings.sizes().batchBytes());
    this.standings = new Standings(strategy::assign, notifier, new GroupClocks(host::monotonicNanos, host::wallNanos));
    this.halt = new Halt(settings.name(), channels, calls, this::stopCore);
    StorageGate gate = host.keepsRecords() ? new StorageGate(this::store, rules.contains(Rule.STORE_BEFORE_SEND)) : null;
    this.database = new DatabasePart(strategy.decides());
    this.effects = new StepEffects(gate, messages, calls, image, standings, this::abandoned);
    ReplicaSetup setup = settings.setup(strategy, host, rules);
    this.core =
        new GuardedCore(
            strategy.open(setup),
            host,
            setup.enforces(Rule.HALT_WHEN_A_STEP_THROWS),
            effects,
            standings,
            thrown -> halt.because(Halt.STEP_FAILED, thrown));
  }

  private Relay relay(Set<Rule> rules) {
    List<ReplicaId> peers = settings.configured().stream().filter(peer -> !peer.equals(settings.self())).toList();
    long suspectNanos = settings.timing().suspectNanos();
    return new Relay(settings.self(), peers, channels.peers(), format, suspectNanos, rules.contains(Rule.CUT_LINKS_ARE_BYPASSED));
  }

  /**
   * Starts ticking and receiving.
   *
   * @param channels those that the strategy requires; closed by {@link #close}
   * @throws IOException when the directory or a channel cannot be used, in one sentence
   */
  public static Replica open(RuntimeSettings settings, ReplicationStrategy strategy, Channels channels) throws IOException {
    Replica replica = prepare(settings, strategy, channels);
    replica.join();
    return replica;
  }

  /**
   * Like {@link #open(RuntimeSettings, ReplicationStrategy, Channels)}, but the replica is not part of its group until
   * {@link #join} is called. Until then it is in no view and sends nothing.
   */
  public static Replica prepare(RuntimeSettings settings, ReplicationStrategy strategy, Channels channels) throws IOException {
    return prepare(settings, strategy, channels, ProcessHost.open(settings, strategy), Rule.ALL);
  }

  /**
   * Starts on the caller's host, for simulations.
   *
   * @param host closed by {@link #close}
   * @param rules the enforced rules
   * @throws IOException as above
   */
  public static Replica open(
      RuntimeSettings settings, ReplicationStrategy strategy, Channels channels, ReplicaHost host, Set<Rule> rules)
      throws IOException {
    Replica replica = prepare(settings, strategy, channels, host, rules);
    replica.join();
    return replica;
  }

  /** Like the other {@code open} for simulations, but the replica is not part of its group until {@link #join} is called. */
  public static Replica prepare(
      RuntimeSettings settings, ReplicationStrategy strategy, Channels channels, ReplicaHost host, Set<Rule> rules)
      throws IOException {
    try {
      Replica replica = new Replica(settings, strategy, channels, host, rules);
      if (channels.peers() != null) {
        channels.peers().open(replica);
      }
      return replica;
    } catch (IOException | RuntimeException e) {
      host.close();
      channels.close();
      throw e;
    }
  }

  /**
   * Joins the group. Called once. A replica that cannot join halts, and its channels are closed. {@link #close} may come meanwhile: then
   * no channel is open after both have returned.
   */
  public void join() {
    joined = true;
    try {
      channels.start(this::arrived, halt::because);
      Runnable failOverdue = () -> calls.failOverdue(this::abandoned, token -> step(new Input.Overdue(token)));
      new Ticks(this::tick, failOverdue, halt).start(host, settings.timing());
    } catch (RuntimeException | Error e) {
      if (closed) {
        LOG.debug("Replica {} was closed while it joined its group.", settings.name(), e);
      } else {
        halt.because("it cannot join its group (" + e + ")", e);
        // No tick does it.
        halt.closeChannels();
      }
    }
    if (closed) {
      // Those that started after the others had been closed.
      channels.close();
    }
  }

  private void tick() {
    if (relay != null) {
      relay.tick(host.monotonicNanos());
    }
    step(new Input.Tick(load.getAsInt()));
    if (role() == Role.JOINING) {
      firstView.tick(host.monotonicNanos(), this::awaited);
    }
  }

  /** Submits a request. See {@link Call} for the answers. An invalid request fails as BadRequest. */
  public void submit(Request request, Call call) {
    intake.submit(request, call);
  }

  @Override
  public void executed(
      long token, Map<String, Long> versions, Outcome outcome, List<StateChange> changes, Proposal proposal) {
    executed(token, versions, outcome, changes, null, proposal);
  }

  private void executed(
      long token,
      Map<String, Long> versions,
      Outcome outcome,
      List<StateChange> changes,
      ParticipantRecord participant,
      Proposal proposal) {
    long most = calls.executed(token) ? Long.MAX_VALUE : settings.sizes().updateBytes();
    Proposal whole = database.whole(proposal);
    Input input = ExecutionResult.input(token, versions, outcome, changes, proposal.branch() != null, participant, most);
    if (!carryOut(core.step(token, input, whole))) {
      whole.rollback();
    }
  }

  /** @throws IllegalStateException when the strategy does not support updates that are decided later */
  @Override
  public void prepared(
      long token, Map<String, Long> versions, List<StateChange> changes, ParticipantRecord participant, Proposal proposal) {
    database.requireSupport();
    executed(token, versions, Response.EMPTY, changes, participant, proposal);
  }

  /**
   * Decides an update that {@link Executions#prepared} has prepared, at any primary since, as the coordinator of its transaction has. The
   * first decision counts.
   *
   * @param id from {@link Proposal#prepared}, or of an update in doubt
   */
  public void decide(DecisionId id, Decision decision, DecisionCall call) {
    effects.coordinated().add(id, call);
    if (!step(new Input.CoordinatorDecided(id, decision))) {
      effects.coordinated().settled(id, false);
    }
  }

  /** Reports updates in doubt to the listener, in place of one that writes a warning. Before {@link #join}. */
  public void participate(InDoubtListener listener) {
    effects.coordinated().listen(listener);
  }

  /**
   * Returns what is prepared for coordinators in the state that is applied here, in any role, until its decision is stable. At a primary,
   * an update whose index is above {@link ReplicaStatus#stable} can still be lost: it is no reason for a vote.
   */
  public List<InDoubt> undecided() {
    return core.undecided();
  }

  @Override
  public void aborted(long token, Proposal proposal) {
    calls.executed(token);
    Proposal whole = database.whole(proposal);
    if (!carryOut(core.step(token, new Input.BranchAborted(token), whole))) {
      whole.rollback();
    }
  }

  /**
   * Has a database decide updates with a {@link Proposal#branch}, and fences it before this replica serves anything as primary. Called
   * at most once, before {@link #join}.
   *
   * @param maker closed by {@link #close}
   * @param only whether the service keeps all its state in the database: its updates then commit in one phase
   * @throws IllegalStateException when the strategy does not support such updates
   */
  public void decideBy(DecisionMaker maker, boolean only) {
    database.use(maker);
    effects.decideBy(maker);
    maker.start(this::step);
    step(new Input.UsesDatabase(only));
  }

  @Override
  public void abandoned(long token) {
    step(new Input.Abandoned(token));
  }

  @Override
  public int wire() {
    return status().wire();
  }

  /** Whether a database decides updates, see {@link #decideBy}. */
  public boolean hasDatabase() {
    return database.isUsed();
  }

  /** Surveys what all replicas hold; {@link #surveyed} returns the answers as they arrive. */
  public void survey() {
    step(new Input.Survey());
  }

  /** The answers of the replicas to the last survey, this one first. */
  public List<SurveyedReplica> surveyed() {
    return core.surveyed();
  }

  /**
   * Carries out an operator's decision after the loss of disks: lets the group continue from what this replica holds.
   * Survey first.
   *
   * @param lost the replicas whose membership records are lost, each with the incarnation that is readmitted, or 0
   * @param call gets a reply when a view that may execute updates has begun, a failure with the reason, or StillPending
   *     when the recovery continues after the deadline
   */
  public void recover(Map<ReplicaId, Long> lost, Call call) {
    LOG.warn(
        "Replica {} recovers the group. Lost replicas, with the incarnations readmitted (0 for none): {}. Known state: {}.",
        settings.name(), lost, surveyed());
    intake.recover(lost, call);
  }

  @Override
  public void received(ReplicaId from, List<Message> messages, Consumer<List<Message>> answers) {
    if (!this.messages.isPeer(from)) {
      LOG.warn(
          "A message of replica {} is ignored, as that replica is not configured here. Compare understudy.replicas of both.", from);
      return;
    }
    if (!joined) {
      return;
    }
    heard.heard(from);
    List<Message> direct = relay.received(from, messages, this::passedOn, host.monotonicNanos());
    if (direct.isEmpty()) {
      return;
    }
    List<Input> inputs = inputs(from, direct);
    if (answers == null) {
      carryOut(core.step(inputs, null, null));
      return;
    }
    List<Message> collected = new ArrayList<>(2);
    Step step = core.step(inputs, from, collected);
    if (step != null) {
      try {
        answers.accept(collected);
      } finally {
        carryOut(step);
      }
    }
  }

  private void passedOn(ReplicaId from, List<Message> messages) {
    carryOut(core.step(inputs(from, messages), null, null));
  }

  private static List<Input> inputs(ReplicaId from, List<Message> messages) {
    List<Input> inputs = new ArrayList<>(messages.size());
    for (Message message : messages) {
      inputs.add(new Input.Received(from, message));
    }
    return inputs;
  }

  /**
   * Has the calling thread, which is about to report an execution, receive the answers of the other replicas itself; see
   * {@link PeerChannel#beginAnswerWait}.
   *
   * @return null when the channel's own threads receive them
   */
  public AnswerWait beginAnswerWait() {
    // With a journal, an update leaves and is answered when it is stored, by other threads.
    return channels.peers() == null || settings.journal() ? null : channels.peers().beginAnswerWait();
  }

  /** Takes an event of the group channel. */
  private void arrived(Input input) {
    if (input instanceof Input.Delivered delivered) {
      heard.heard(delivered.from());
    }
    step(input);
  }

  /**
   * For how long no message of a replica has arrived, in nanoseconds: 0 for this replica, {@link Long#MAX_VALUE} for one that has sent
   * none. The first member of a view and each other one exchange several messages in each suspicion time, so a long silence means that the
   * replica, its process or the network to it stands still. Between two other members, what comes from the first one counts too: it leaves
   * a member that is gone out of the next view. The silence says nothing about the replica's role.
   */
  public long silentNanos(ReplicaId replica) {
    return replica.equals(settings.self()) ? 0 : heard.silentNanos(settings.self(), replica, view());
  }

  /**
   * Whether requests cannot be passed to that replica, because the link to it is cut. Either it leads a view that goes on without this
   * replica, and has been silent for longer than a view change takes; or others pass on what the two send each other, for a suspicion
   * time.
   */
  public boolean isOutOfReach(ReplicaId replica) {
    long suspectNanos = settings.timing().suspectNanos();
    if (relay != null && relay.isBypassed(replica, host.monotonicNanos(), suspectNanos)) {
      return true;
    }
    long silence = heard.silentNanos(replica);
    return role() == Role.JOINING
        && replica.equals(view().primary())
        && silence > OUT_OF_REACH_SUSPICIONS * suspectNanos
        && silence != HeardPeers.NEVER;
  }

  /** The replicas with which messages are exchanged through others, one line each; empty while all links work. */
  public List<String> detours() {
    return relay == null ? List.of() : relay.describe();
  }

  @Override
  public MessageFormat format() {
    return format;
  }

  @Override
  public void suspected(ReplicaId replica) {
    if (joined && messages.isPeer(replica) && relay.refused(replica, host.monotonicNanos())) {
      step(new Input.Suspected(replica));
    }
  }

  @Override
  public byte[] state(String resource) {
    return image.state(resource);
  }

  @Override
  public long stateVersion(String resource) {
    return image.stateVersion(resource);
  }

  @Override
  public long version(String resource) {
    return image.version(resource);
  }

  /** The last known view; a volatile read. */
  public View view() {
    return standing().view();
  }

  /** When this replica learnt of {@link #view}, by the wall clock. */
  public Instant viewSince() {
    return standings.viewSince();
  }

  /** The last known role; a volatile read. */
  public Role role() {
    return standing().role();
  }

  private Standing standing() {
    return standings.current();
  }

  /** The replicas that serve requests, by class. */
  public Routing routing() {
    return routing;
  }

  /**
   * Reports the load index of this replica to the others from now on.
   *
   * @param index called at each tick, several times in a heartbeat interval, by the thread of the clock: must neither block nor
   *     throw. Negative for unknown
   */
  public void measureLoad(IntSupplier index) {
    load = index;
  }

  /** The load indexes of the members as far as this replica knows them, at most some heartbeats old; a volatile read. */
  public LoadBoard loads() {
    return standings.loads();
  }

  /** The clocks by which this replica decides when something ends. */
  public GroupClocks clocks() {
    return standings.clocks();
  }

  /** The duties of this replica for the group. */
  public Duties duties() {
    return duties;
  }

  /** Why this replica has halted, as the end of a sentence; null while it runs. */
  public String halted() {
    String why = halt.why();
    return why == null && core.halted() ? Halt.STEP_FAILED : why;
  }

  /**
   * Why this primary serves nothing although it has a majority: its database is not fenced so far, or does not answer. A sentence; null in
   * other cases.
   */
  public String blocked() {
    return database.isUsed() ? database.blocked(status()) : null;
  }

  /** Which replicas the first view of the group waits for, where they are, and what to do: in sentences. Null when it waits for none. */
  public String awaited() {
    return firstView.sentence(status().awaited());
  }

  /** Why the database of this replica cannot be used, a sentence: it is silent. Null while it answers, or there is none. */
  public String silentDatabase() {
    return database.silent();
  }

  /**
   * Halts this replica for good, for what its owner has found: it refuses every call, and the others continue without it. The log
   * gets the reason. Not within a {@link StateListener}, which holds the replica's lock.
   *
   * @param reason as the end of a sentence
   */
  public void halt(String reason) {
    halt(reason, null);
  }

  /**
   * Like {@link #halt(String)}, with an exception for the log.
   *
   * @param cause null for none
   */
  public void halt(String reason, Throwable cause) {
    halt.because(reason, cause);
  }

  public ReplicaStatus status() {
    return core.status();
  }

  /** Returns the digest of the replicated state that the core computes; expensive. */
  public long digest() {
    return core.digest();
  }

  /** Adds a listener for every change of the view, or of this replica's role in it, from now on. */
  public void listen(ViewListener listener) {
    notifier.listen(listener);
  }

  /** Passes the whole current state to the listener, then every change of it. */
  public void observe(StateListener observer) {
    core.observe(observer, image);
  }

  @Override
  public void close() {
    closed = true;
    halt.closeChannels();
    host.close();
    database.close();
    halt.close();
    effects.coordinated().loseAll();
  }

  private List<Proposal> stopCore() {
    return core.halt();
  }

  /** @return false when this replica has halted */
  private boolean step(Input input) {
    return carryOut(core.step(List.of(input), null, null));
  }

  private boolean carryOut(Step step) {
    if (step == null) {
      return false;
    }
    step.carryOut();
    if (step.isSteppedAgain()) {
      host.stepAgain(again);
    }
    return true;
  }

  private void goOn() {
    carryOut(core.step(CONTINUED, null, null));
  }

  private void store(List<DurableRecord> records) {
    host.store(
        records,
        () -> {
          carryOut(core.stored());
          host.gather(records.size());
          core.storeNext();
        },
        e -> halt.because(
            "its " + records.get(0).kind().name() + " record cannot be stored in " + settings.directory() + " (" + e.getMessage() + ")",
            e));
  }
}
