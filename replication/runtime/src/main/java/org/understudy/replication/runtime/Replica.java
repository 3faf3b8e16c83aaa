package org.understudy.replication.runtime;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.MembershipRecord;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.Outcome;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Reply;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.runtime.record.MembershipRecordFile;

/**
 * One replica at work: a core, its exclusion, its clock and its channel. Thread-safe; no method blocks on I/O.
 *
 * <p>Whoever brings an input steps the core and carries out the effects himself, after leaving the lock, so that a
 * request's way needs no hand-off between threads.
 */
public final class Replica implements PeerReceiver, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

  private final RuntimeSettings settings;
  private final PeerChannel channel;
  private final MembershipRecordFile records;
  private final ReplicaCore core;
  private final ReentrantLock lock = new ReentrantLock();
  private final Image image = new Image();
  private final Calls calls;
  private final ConcurrentHashMap<ReplicaId, Outbox> outboxes = new ConcurrentHashMap<>();
  private final AtomicLong nextToken = new AtomicLong(1);
  private final List<ViewListener> listeners = new CopyOnWriteArrayList<>();
  private final List<StateListener> observers = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService clock;
  private final ExecutorService storage;

  /** Guarded by {@link #lock}: what the running step wants done, and what waits for a record to be stored. */
  private final StepEffects effects = new StepEffects();
  private final StorageGate gate = new StorageGate(this::storeLater);

  private volatile View view = View.NONE;
  private volatile Instant viewSince = Instant.now();
  private volatile Role role = Role.JOINING;
  private volatile String halted;

  private Replica(
      RuntimeSettings settings, ReplicationStrategy strategy, PeerChannel channel, MembershipRecordFile records)
      throws IOException {
    this.settings = settings;
    this.channel = channel;
    this.records = records;
    this.calls = new Calls(settings.requestDeadline());
    for (ReplicaId peer : settings.configured()) {
      if (!peer.equals(settings.self()) && channel != null) {
        outboxes.put(peer, new Outbox(messages -> channel.send(peer, messages)));
      }
    }
    this.core =
        strategy.open(
            new ReplicaSetup(
                settings.self(),
                settings.configured(),
                records == null ? MembershipRecord.FIRST_START : records.load(),
                new SecureRandom().nextLong() | 1,
                settings.timing(),
                settings.limits(),
                Rule.ALL));
    this.storage = Executors.newSingleThreadExecutor(task -> daemon(task, "understudy-storage"));
    this.clock = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "understudy-clock"));
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Starts ticking and receiving.
   *
   * @param channel null for a strategy that needs no peers; closed by {@link #close}
   * @throws IOException when the directory or the channel cannot be used, in one sentence
   */
  public static Replica open(RuntimeSettings settings, ReplicationStrategy strategy, PeerChannel channel)
      throws IOException {
    MembershipRecordFile records =
        strategy.needsPeers() ? MembershipRecordFile.open(settings.directory()) : null;
    Replica replica;
    try {
      replica = new Replica(settings, strategy, channel, records);
      if (channel != null) {
        channel.open(replica);
      }
    } catch (IOException | RuntimeException e) {
      if (records != null) {
        records.close();
      }
      if (channel != null) {
        channel.close();
      }
      throw e;
    }
    long interval = Math.max(2_000_000, settings.timing().heartbeatNanos() / 5);
    replica.clock.scheduleWithFixedDelay(replica::tick, 0, interval, TimeUnit.NANOSECONDS);
    return replica;
  }

  private void tick() {
    try {
      step(new Input.Tick(), null, null);
      calls.failOverdue(System.nanoTime(), this::abandoned);
    } catch (RuntimeException | Error e) {
      halt("a step failed: " + e, e);
    }
  }

  // ------------------------------------------------------------------------------------------------ doors

  /** Asks. See {@link Call} for the answers. */
  public void submit(Request request, Call call) {
    if (halted != null) {
      call.fail(new Failure(FailureCode.NotReady, "This replica has halted, because " + halted + "; ask another one."));
      return;
    }
    long token = nextToken.getAndIncrement();
    calls.add(token, call);
    step(new Input.Requested(token, request), null, null);
  }

  /**
   * The service method has returned; its response is marshalled and its state captured.
   *
   * @param outcome the response; or a terminal failure, with no changes: it is stored and replicated as the request's
   *     answer, and {@link Call#fail} is called with it when it is stable
   * @return false when the execution does not stand, since this replica lost its role meanwhile, a limit was exceeded, or
   *     the outcome is a failure: live objects that the method changed are to be dropped by the caller, before anybody
   *     else uses them
   */
  public boolean executed(long token, Outcome outcome, List<StateChange> changes) {
    calls.executed(token);
    if (halted != null) {
      return false;
    }
    boolean stands;
    List<Runnable> actions;
    List<Outbox> touched;
    lock.lock();
    try {
      effects.begin(null, null);
      core.step(System.nanoTime(), wallNanos(), new Input.Executed(token, outcome, changes), effects);
      stands = effects.undone != token;
      actions = effects.actions;
      touched = effects.touched;
    } finally {
      lock.unlock();
    }
    carryOut(actions, touched);
    return stands;
  }

  /** There will be no response; live objects that the method changed are to be dropped by the caller. */
  public void abandoned(long token) {
    step(new Input.Abandoned(token), null, null);
  }

  @Override
  public void received(ReplicaId from, List<Message> messages, List<Message> answers) {
    if (!outboxes.containsKey(from)) {
      LOG.warn("A message came from replica {}, which is not configured; it is ignored.", from);
      return;
    }
    List<Input> inputs = new ArrayList<>(messages.size());
    for (Message message : messages) {
      inputs.add(new Input.Received(from, message));
    }
    steps(inputs, answers == null ? null : from, answers);
  }

  @Override
  public void suspected(ReplicaId replica) {
    step(new Input.Suspected(replica), null, null);
  }

  /** The state of a resource that live objects are to show; null: there is none. */
  public byte[] state(String resource) {
    return image.state(resource);
  }

  /**
   * Grows whenever live objects made from {@link #state} before may be out of date for this resource: compare it to know
   * whether to restore again. A primary's own executions do not change it.
   */
  public long stateVersion(String resource) {
    return image.version(resource);
  }

  /** The view as last known; a volatile read. */
  public View view() {
    return view;
  }

  /** When this replica came to know {@link #view}, by the wall clock. */
  public Instant viewSince() {
    return viewSince;
  }

  /** The role as last known; a volatile read. */
  public Role role() {
    return role;
  }

  /** Why this replica has halted, or null while it works. */
  public String halted() {
    return halted;
  }

  public ReplicaStatus status() {
    lock.lock();
    try {
      return core.status(System.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  public void listen(ViewListener listener) {
    listeners.add(listener);
  }

  /** The whole state as it is now, then every change of it. */
  public void observe(StateListener observer) {
    lock.lock();
    try {
      observer.replaced(image.states());
      observer.stable(core.status(System.nanoTime()).stable());
      observers.add(observer);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    if (channel != null) {
      channel.close();
    }
    storage.shutdown();
    try {
      clock.awaitTermination(5, TimeUnit.SECONDS);
      storage.awaitTermination(5, TimeUnit.SECONDS);
      if (records != null) {
        records.close();
      }
    } catch (IOException e) {
      LOG.warn("The lock of the replica's directory was not released: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    halted = "it was closed";
    calls.failAll(new Failure(FailureCode.OutcomeUnknown, "This replica is being stopped; ask another one."));
  }

  // ------------------------------------------------------------------------------------------------ steps

  private void step(Input input, ReplicaId answering, List<Message> answers) {
    steps(Collections.singletonList(input), answering, answers);
  }

  private void steps(List<Input> inputs, ReplicaId answering, List<Message> answers) {
    if (halted != null) {
      return;
    }
    List<Runnable> actions;
    List<Outbox> touched;
    lock.lock();
    try {
      effects.begin(answering, answers);
      long now = System.nanoTime();
      long wall = wallNanos();
      for (Input input : inputs) {
        core.step(now, wall, input, effects);
      }
      actions = effects.actions;
      touched = effects.touched;
    } finally {
      lock.unlock();
    }
    carryOut(actions, touched);
  }

  private static long wallNanos() {
    return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
  }

  private static void carryOut(List<Runnable> actions, List<Outbox> touched) {
    for (int i = 0; i < touched.size(); i++) {
      touched.get(i).flush();
    }
    for (int i = 0; i < actions.size(); i++) {
      guarded(actions.get(i));
    }
  }

  /** What one of the outside does wrong must not cost the others their effects, nor this thread its life. */
  private static void guarded(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      LOG.error("One effect of a step failed; the others go on.", e);
    }
  }

  private void storeLater(MembershipRecord record) {
    try {
      storage.execute(() -> store(record));
    } catch (RejectedExecutionException e) {
      LOG.debug("Closing: a record is not stored any more, and nothing that rests on it leaves.", e);
    }
  }

  private void store(MembershipRecord record) {
    try {
      records.store(record);
    } catch (IOException | RuntimeException e) {
      halt("its membership record cannot be stored (" + e.getMessage() + ")", e);
      return;
    }
    List<Runnable> actions;
    List<Outbox> touched;
    lock.lock();
    try {
      effects.begin(null, null);
      gate.stored();
      actions = effects.actions;
      touched = effects.touched;
    } finally {
      lock.unlock();
    }
    carryOut(actions, touched);
  }

  private void halt(String why, Throwable cause) {
    halted = why;
    LOG.error("This replica halts, because {}. The others go on without it; mend the cause and restart it.", why, cause);
    calls.failAll(new Failure(FailureCode.OutcomeUnknown, "This replica has halted, because " + why + "."));
  }

  private void tell(Role newRole, View newView) {
    LOG.info("Replica {} is {} in view {} {}.", settings.self(), newRole, newView.epoch(), newView.members());
    for (ViewListener listener : listeners) {
      guarded(() -> listener.changed(newRole, newView));
    }
  }

  /** Collects one step's effects. Used under the lock only. */
  private final class StepEffects implements Effects {
    private List<Runnable> actions = List.of();
    private List<Outbox> touched = List.of();
    private ReplicaId answering;
    private List<Message> answers;
    /** The execution that this step undid, or 0. */
    private long undone;

    void begin(ReplicaId answering, List<Message> answers) {
      this.actions = new ArrayList<>(4);
      this.touched = new ArrayList<>(4);
      this.answering = answering;
      this.answers = answers;
      this.undone = 0;
    }

    @Override
    public void send(ReplicaId to, Message message) {
      if (gate.closed()) {
        gate.hold(() -> enqueue(to, message));
      } else if (to.equals(answering)) {
        Outbox.append(answers, message);
      } else {
        enqueue(to, message);
      }
    }

    private void enqueue(ReplicaId to, Message message) {
      Outbox outbox = outboxes.get(to);
      if (outbox != null) {
        outbox.add(message);
        if (!touched.contains(outbox)) {
          touched.add(outbox);
        }
      }
    }

    private void act(Runnable action) {
      if (gate.closed()) {
        gate.hold(() -> actions.add(action));
      } else {
        actions.add(action);
      }
    }

    @Override
    public void store(MembershipRecord record) {
      if (records != null) {
        gate.store(record);
      }
    }

    @Override
    public void execute(long token, Request.Kind kind) {
      act(
          () -> {
            if (!calls.execute(token, kind)) {
              abandoned(token);
            }
          });
    }

    @Override
    public void reply(long token, Reply reply) {
      act(() -> calls.reply(token, reply));
    }

    @Override
    public void fail(long token, Failure failure) {
      act(() -> calls.fail(token, failure));
    }

    @Override
    public void undo(long token) {
      undone = token;
    }

    @Override
    public void changed(Role newRole, View newView) {
      role = newRole;
      if (newView.epoch() != view.epoch()) {
        viewSince = Instant.now();
      }
      view = newView;
      if (newRole != Role.PRIMARY) {
        image.expireAll();
      }
      act(() -> tell(newRole, newView));
    }

    @Override
    public void applied(List<StateChange> changes) {
      image.apply(changes, role == Role.PRIMARY);
      for (StateListener observer : observers) {
        observer.applied(changes);
      }
    }

    @Override
    public void stable(long index) {
      for (StateListener observer : observers) {
        observer.stable(index);
      }
    }

    @Override
    public void replaced(java.util.Map<String, byte[]> whole) {
      image.replace(whole);
      for (StateListener observer : observers) {
        observer.replaced(whole);
      }
    }
  }
}
