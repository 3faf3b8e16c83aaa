package org.understudy.replication.simulation;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.MembershipRecord;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.Reply;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.Response;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.simulation.checker.ExecutedUpdate;

/** One replica: its disk over all its lives; and of the present life core, image, pending calls and service. */
final class SimulatedReplica implements Effects {
  private static final long TICK = 10_000_000;

  private final Simulation simulation;
  private final World world;
  private final int number;
  private MembershipRecord disk = MembershipRecord.FIRST_START;

  /** Null while it is down. */
  private ReplicaCore core;
  private long life;
  private SimulatedClock clock;
  private SimulatedService service;
  private Runnable whenPromised;
  private Predicate<Message> suppressed = message -> false;
  private boolean paused;
  private final ArrayDeque<Runnable> missed = new ArrayDeque<>();
  private final ArrayDeque<Object> gate = new ArrayDeque<>();
  private final Map<Long, Call> calls = new TreeMap<>();
  private final Map<String, byte[]> image = new TreeMap<>();
  private final Map<String, Long> versions = new TreeMap<>();
  private long version;
  private Role role = Role.JOINING;
  private long stable;
  private long undone;
  /** How many effects the next steps may name before one throws; below zero: any number. */
  private int effectsUntilError = -1;

  SimulatedReplica(Simulation simulation, int number) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.number = number;
  }

  // ------------------------------------------------------------------------------------------------ life

  void start() {
    life++;
    clock = new SimulatedClock(world);
    world.trace("%d starts, disk %s", number, disk);
    core = simulation.open(number, disk, life * 1_000 + number);
    service = new SimulatedService(this, world);
    role = Role.JOINING;
    stable = 0;
    tick();
  }

  private void tick() {
    step(new Input.Tick());
    after(TICK, this::tick);
  }

  boolean isUp() {
    return core != null;
  }

  Role role() {
    return core == null ? null : role;
  }

  View view() {
    return core == null ? View.NONE : core.status(clock.now()).view();
  }

  void crash(boolean diskToo) {
    world.trace("%d crashes, disk lost: %s", number, diskToo);
    die();
    if (diskToo) {
      disk = MembershipRecord.FIRST_START;
    }
    for (int other = 1; other <= simulation.size(); other++) {
      if (other != number && world.chance(0.7)) {
        int informed = other;
        world.after(world.between(1_000_000, 20_000_000),
            () -> simulation.replica(informed).input(new Input.Suspected(new ReplicaId(number))));
      }
    }
  }

  private void die() {
    core = null;
    whenPromised = null;
    effectsUntilError = -1;
    life++;
    paused = false;
    missed.clear();
    gate.clear();
    calls.clear();
    image.clear();
    versions.clear();
  }

  /** A step to come throws when it has named so many effects more; a replica that threw is dead until it is restarted. */
  void throwAfter(int effects) {
    effectsUntilError = effects;
  }

  boolean mayThrow() {
    return effectsUntilError >= 0;
  }

  /** Sends none of these messages any more. */
  void suppress(Predicate<Message> unsent) {
    suppressed = unsent;
  }

  /** What happens as soon as this life has sent a promise. */
  void whenPromised(Runnable what) {
    whenPromised = what;
  }

  void pause() {
    paused = core != null;
    world.trace("%d pauses", number);
  }

  void resume() {
    world.trace("%d resumes", number);
    paused = false;
    while (!missed.isEmpty() && !paused) {
      missed.poll().run();
    }
  }

  /** Does something after a while in this life, and not during a pause. */
  void after(long nanos, Runnable what) {
    long mine = life;
    world.after(nanos, () -> whenRunning(mine, what));
  }

  private void whenRunning(long mine, Runnable what) {
    if (mine != life || core == null) {
      return;
    }
    if (paused) {
      missed.add(() -> whenRunning(mine, what));
    } else {
      what.run();
    }
  }

  /** Something happens to this replica, unless it is dead; later, if it is paused. */
  void input(Input input) {
    whenRunning(life, () -> step(input));
  }

  void request(Call call) {
    whenRunning(life, () -> {
      long token = simulation.nextToken();
      calls.put(token, call);
      step(new Input.Requested(token, call.request()));
    });
  }

  private void step(Input input) {
    if (input instanceof Input.Received received && Tracing.tells(received.message())) {
      world.trace("%d <- %d  %s", number, received.from().number(), Tracing.told(received.message()));
    }
    try {
      core.step(clock.now(), clock.wall(), input, this);
    } catch (InjectedError e) {
      world.trace("%d threw inside a step", number);
      die();
    }
  }

  /** An error that the simulation throws at a step, where production may run out of memory. */
  private static final class InjectedError extends Error {
    InjectedError() {
      super("injected", null, false, false);
    }
  }

  private void effect() {
    if (effectsUntilError >= 0 && effectsUntilError-- == 0) {
      throw new InjectedError();
    }
  }

  // ------------------------------------------------------------------------------------------------ the service's side

  byte[] state(String resource) {
    return image.get(resource);
  }

  /** Grows when live objects of the resource may be out of date. */
  long stateVersion(String resource) {
    return Math.max(versions.getOrDefault(resource, 0L), versions.getOrDefault("*", 0L));
  }

  long nextExecution() {
    return simulation.nextExecution();
  }

  /** @return false when what the execution changed is void */
  boolean executed(long token, Response response, List<StateChange> changes) {
    undone = 0;
    step(new Input.Executed(token, response, changes));
    return core != null && undone != token;
  }

  // ------------------------------------------------------------------------------------------------ effects

  private void act(Runnable effect) {
    effect();
    if (gate.isEmpty()) {
      effect.run();
    } else {
      gate.addLast(effect);
    }
  }

  @Override
  public void store(MembershipRecord record) {
    effect();
    gate.addLast(record);
    if (gate.size() == 1) {
      storeFront();
    }
  }

  private void storeFront() {
    MembershipRecord record = (MembershipRecord) gate.peekFirst();
    after(world.between(100_000, 8_000_000), () -> {
      disk = record;
      gate.pollFirst();
      while (gate.peekFirst() instanceof Runnable effect) {
        gate.pollFirst();
        effect.run();
      }
      if (gate.peekFirst() instanceof MembershipRecord) {
        storeFront();
      }
    });
  }

  @Override
  public void send(ReplicaId to, Message message) {
    if (suppressed.test(message)) {
      return;
    }
    ReplicaId from = new ReplicaId(number);
    act(() -> simulation.network().send(number, to.number(),
        () -> simulation.replica(to.number()).input(new Input.Received(from, message))));
    if (message instanceof Message.Promise && whenPromised != null) {
      act(() -> {
        if (whenPromised != null) {
          world.after(0, whenPromised);
          whenPromised = null;
        }
      });
    }
  }

  @Override
  public void execute(long token, Request.Kind kind) {
    act(() -> service.execute(token, calls.get(token).operation()));
  }

  @Override
  public void reply(long token, Reply reply) {
    simulation.replies().replied(number, reply, stable);
    act(() -> answer(token, reply));
  }

  @Override
  public void fail(long token, Failure failure) {
    act(() -> answer(token, failure));
  }

  @Override
  public void undo(long token) {
    effect();
    undone = token;
  }

  private void answer(long token, Object answer) {
    Call call = calls.remove(token);
    if (call != null) {
      if (answer instanceof Failure failure) {
        world.trace("%d refuses %s: %s", number, call.request(), failure);
      }
      call.answer().accept(answer);
    }
  }

  @Override
  public void changed(Role newRole, View view) {
    effect();
    role = newRole;
    world.trace("%d is %s in %s, %s", number, newRole, view, core.status(clock.now()));
    if (newRole == Role.PRIMARY) {
      simulation.history().primary(number, view.epoch());
    } else {
      versions.put("*", ++version);
    }
  }

  @Override
  public void stable(long index) {
    effect();
    stable = index;
  }

  @Override
  public void applied(List<StateChange> changes) {
    effect();
    for (StateChange change : changes) {
      if (change.state() == null) {
        image.remove(change.resource());
      } else {
        image.put(change.resource(), change.state());
      }
      if (role != Role.PRIMARY) {
        versions.put(change.resource(), ++version);
      } else if (ExecutedUpdate.isEntry(change.resource())) {
        simulation.replies().appended(ExecutedUpdate.of(change.resource(), change.state()));
      }
    }
  }

  @Override
  public void replaced(Map<String, byte[]> whole) {
    effect();
    image.clear();
    image.putAll(whole);
    versions.put("*", ++version);
  }

  /** The state of every resource as this replica shows it. */
  Map<String, byte[]> image() {
    return Collections.unmodifiableMap(image);
  }

  String describe() {
    return "replica " + number + ": " + (core == null ? "down" : core.status(clock.now()).toString()) + " disk " + disk;
  }
}
