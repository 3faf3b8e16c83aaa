package org.understudy.replication.simulation;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

/**
 * One replica: core, disk, and a service of counters that keeps live objects, locks and all, as the container does.
 */
final class SimulatedReplica implements Effects {
  private static final long TICK = 10_000_000;

  private final Simulation simulation;
  private final World world;
  private final int number;
  private MembershipRecord disk = MembershipRecord.FIRST_START;

  private ReplicaCore core;
  private long life;
  private SimulatedClock clock;
  private Runnable whenPromised;
  private boolean paused;
  private final ArrayDeque<Runnable> missed = new ArrayDeque<>();
  private final ArrayDeque<Object> gate = new ArrayDeque<>();
  private final Map<Long, Call> calls = new TreeMap<>();
  private final Map<String, Live> live = new TreeMap<>();
  private final Map<String, byte[]> image = new TreeMap<>();
  private final Map<String, Long> versions = new TreeMap<>();
  private long version;
  private Role role = Role.JOINING;
  private long undone;

  private static final class Live {
    long value;
    long version = -1;
    boolean busy;
    final ArrayDeque<Runnable> queue = new ArrayDeque<>();
  }

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
    role = Role.JOINING;
    tick(life);
  }

  private void tick(long mine) {
    if (mine == life && core != null) {
      step(new Input.Tick());
      world.after(TICK, () -> tick(mine));
    }
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
    core = null;
    whenPromised = null;
    life++;
    paused = false;
    missed.clear();
    gate.clear();
    calls.clear();
    live.clear();
    image.clear();
    versions.clear();
    if (diskToo) {
      disk = MembershipRecord.FIRST_START;
    }
    for (int other = 1; other <= simulation.size(); other++) {
      if (other != number && world.chance(0.7)) {
        int told = other;
        world.after(world.between(1_000_000, 20_000_000),
            () -> simulation.replica(told).input(new Input.Suspected(new ReplicaId(number))));
      }
    }
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

  /** Something happens to this replica, unless it is dead; later, if it is paused. */
  void input(Input input) {
    long mine = life;
    if (core == null) {
      return;
    }
    if (paused) {
      missed.add(() -> {
        if (mine == life) {
          step(input);
        }
      });
    } else {
      step(input);
    }
  }

  void request(Call call) {
    if (core == null) {
      return;
    }
    long token = simulation.nextToken();
    calls.put(token, call);
    input(new Input.Requested(token, call.request()));
  }

  private void step(Input input) {
    if (core == null) {
      return;
    }
    if (paused) {
      missed.add(() -> step(input));
      return;
    }
    if (input instanceof Input.Received received && Tracing.tells(received.message())) {
      world.trace("%d <- %d  %s", number, received.from().number(), Tracing.told(received.message()));
    }
    core.step(clock.now(), world.now(), input, this);
  }

  // ------------------------------------------------------------------------------------------------ effects

  private void act(Runnable effect) {
    if (gate.isEmpty()) {
      effect.run();
    } else {
      gate.addLast(effect);
    }
  }

  @Override
  public void store(MembershipRecord record) {
    gate.addLast(record);
    if (gate.size() == 1) {
      storeFront();
    }
  }

  private void storeFront() {
    MembershipRecord record = (MembershipRecord) gate.peekFirst();
    long mine = life;
    world.after(world.between(100_000, 8_000_000), () -> {
      if (mine != life) {
        return;
      }
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
    act(() -> {
      Call call = calls.get(token);
      Live object = live.computeIfAbsent(call.resource(), r -> new Live());
      Runnable run = () -> run(token, call, object, kind);
      if (object.busy) {
        object.queue.add(run);
      } else {
        object.busy = true;
        world.after(0, run);
      }
    });
  }

  private void run(long token, Call call, Live object, Request.Kind kind) {
    long mine = life;
    String resource = call.resource();
    long newest = Math.max(version(resource), version("*"));
    if (object.version != newest) {
      byte[] state = image.get(resource);
      object.value = state == null ? 0 : ByteBuffer.wrap(state).getLong();
      object.version = newest;
    }
    boolean update = kind == Request.Kind.UPDATE;
    if (update) {
      object.value += call.amount();
    }
    long value = object.value;
    world.after(world.between(0, 3_000_000), () -> executed(mine, token, call, object, update, value));
  }

  private void executed(long mine, long token, Call call, Live object, boolean update, long value) {
    if (mine != life || core == null) {
      return;
    }
    if (paused) {
      missed.add(() -> executed(mine, token, call, object, update, value));
      return;
    }
    byte[] body = ByteBuffer.allocate(16).putLong(value).putLong(world.number()).array();
    List<StateChange> changes =
        update ? List.of(new StateChange(call.resource(), ByteBuffer.allocate(8).putLong(value).array())) : List.of();
    undone = 0;
    core.step(clock.now(), world.now(), new Input.Executed(token, new Response((byte) 0, body), changes), this);
    if (update && undone == token) {
      object.version = -1;
    }
    Runnable next = object.queue.poll();
    if (next == null) {
      object.busy = false;
    } else {
      world.after(0, next);
    }
  }

  private long version(String resource) {
    return versions.getOrDefault(resource, 0L);
  }

  @Override
  public void reply(long token, Reply reply) {
    act(() -> answer(token, reply));
  }

  @Override
  public void fail(long token, Failure failure) {
    act(() -> answer(token, failure));
  }

  @Override
  public void undo(long token) {
    undone = token;
  }

  private void answer(long token, Object answer) {
    Call call = calls.remove(token);
    if (call != null) {
      call.answer().accept(answer);
    }
  }

  @Override
  public void changed(Role newRole, View view) {
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
    // Replies tell the checkers what is stable.
  }

  @Override
  public void applied(List<StateChange> changes) {
    for (StateChange change : changes) {
      image.put(change.resource(), change.state());
      if (role != Role.PRIMARY) {
        versions.put(change.resource(), ++version);
      }
    }
  }

  @Override
  public void replaced(Map<String, byte[]> whole) {
    image.clear();
    image.putAll(whole);
    versions.put("*", ++version);
  }

  /** The counters as this replica's image shows them. */
  Map<String, Long> counters() {
    Map<String, Long> counters = new TreeMap<>();
    image.forEach((resource, state) -> counters.put(resource, ByteBuffer.wrap(state).getLong()));
    return counters;
  }

  List<String> describe() {
    List<String> lines = new ArrayList<>();
    lines.add("replica " + number + ": " + (core == null ? "down" : core.status(clock.now()).toString()) + " disk " + disk);
    return lines;
  }
}
