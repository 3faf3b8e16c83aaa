package org.understudy.replication.runtime.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.Doors;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.replication.runtime.codec.MessageWriter;

/**
 * A step that throws halts its replica, so no input of a client, a service or a peer may make one throw. Hostile values
 * pass the checks that production has, the input check and the codec, to a core in every role.
 */
class HostileInputTest {
  private static final MessageFormat FORMAT =
      new MessageFormat(new PrimaryBackup().messages(), WireVersions.CURRENT);

  private static final long FIRST = Long.getLong("understudy.fuzz.seed", 1);
  private static final int SEEDS = Integer.getInteger("understudy.fuzz.seeds", 150);
  private static final int STEPS = 3_000;
  private static final int REPLICAS = 3;

  /** Counts of inputs by role, and of the resulting effects. */
  private final Map<String, Integer> met = new TreeMap<>();

  @Test
  void noExternalInputMakesAStepThrow() {
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      new World(seed).run();
    }
    for (MessageKind type : new PrimaryBackup().messages()) {
      assertTrue(met.getOrDefault(type.name(), 0) > 1_000, type + " was sent too seldom: " + met);
    }
    for (String effect : List.of("replaced", "reply EXECUTED", "reply READ")) {
      assertTrue(met.getOrDefault(effect, 0) > 100, effect + " came about too seldom: " + met);
    }
    for (String effect : List.of("settled true", "settled false", "in doubt")) {
      assertTrue(met.getOrDefault(effect, 0) > 20, effect + " came about too seldom: " + met);
    }
    for (Role role : Role.values()) {
      for (String input : List.of("Requested", "Executed", "Abandoned", "Suspected", "Received")) {
        assertTrue(met.getOrDefault(role + " " + input, 0) > 100, role + " met " + input + " too seldom: " + met);
      }
    }
  }

  private final class World {
    private final long seed;
    private final Random random;
    private final HostileValues values;
    private final List<Node> nodes = new ArrayList<>();
    private final ArrayDeque<Runnable> network = new ArrayDeque<>();
    private long now = 1_000_000_000L;
    private long nextToken = 1;

    World(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.values = new HostileValues(random, REPLICAS);
      for (int i = 1; i <= REPLICAS; i++) {
        nodes.add(new Node(i));
      }
    }

    void run() {
      calm(120);
      for (int i = 0; i < STEPS; i++) {
        Node node = nodes.get(random.nextInt(REPLICAS));
        node.step(hostile(node));
        if (random.nextInt(4) == 0) {
          calm(1);
        }
        if (i % 300 == 299) {
          // Lets the group recover between attacks, so that every role occurs again.
          renew();
          calm(200);
        }
      }
    }

    private void renew() {
      if (random.nextInt(2) == 0) {
        network.clear();
        nodes.clear();
        for (int i = 1; i <= REPLICAS; i++) {
          nodes.add(new Node(i));
        }
      } else {
        int one = random.nextInt(REPLICAS);
        nodes.set(one, new Node(one + 1));
      }
    }

    /** Time passes, and messages arrive. */
    private void calm(int ticks) {
      for (int i = 0; i < ticks; i++) {
        now += 10_000_000;
        for (Node node : List.copyOf(nodes)) {
          node.step(new Input.Tick());
        }
        for (int most = 2_000; most > 0 && !network.isEmpty(); most--) {
          network.poll().run();
        }
        network.clear();
      }
    }

    /** Null when production's checks refuse it. */
    private Input hostile(Node node) {
      long index = node.status().received();
      long epoch = node.status().view().epoch();
      return switch (random.nextInt(10)) {
        case 0, 1 -> Doors.taken(new Input.Requested(nextToken++, values.request(random.nextInt(2) == 0 ? index : 1)));
        case 2 ->
            Doors.taken(
                new Input.Executed(
                    node.token(), Map.of(), values.outcome(), values.changes(false), false,
                    random.nextInt(4) == 0 ? new ParticipantRecord("urn:t", new byte[random.nextInt(9)]) : null));
        case 6 -> new Input.CoordinatorDecided(node.undecided(index), random.nextBoolean() ? Decision.COMMITTED : Decision.ABORTED);
        case 3 -> new Input.Abandoned(node.token());
        case 4 -> new Input.Suspected(node.other());
        case 5 ->
            random.nextBoolean()
                ? new Input.Survey()
                : new Input.Recover(nextToken++, values.lost(node.incarnation));
        default -> {
          Message message = values.message(epoch, index, node.incarnation);
          met.merge(message.kind().name(), 1, Integer::sum);
          byte[] bytes = encoded(message);
          if (random.nextInt(3) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
          }
          try {
            yield new Input.Received(node.peer(), FORMAT.readAll(bytes, 0, bytes.length).get(0));
          } catch (IOException e) {
            yield null;
          }
        }
      };
    }

    private static byte[] encoded(Message message) {
      MessageWriter writer = new MessageWriter(0);
      writer.write(message);
      return writer.toBytes();
    }

    /** One replica and its environment. */
    private final class Node implements Effects {
      private final ReplicaId self;
      private final long incarnation;
      private final ReplicaCore core;
      private final List<Long> running = new ArrayList<>();
      private final List<DecisionId> undecided = new ArrayList<>();

      Node(int number) {
        self = new ReplicaId(number);
        incarnation = random.nextInt(1_000) + 1L;
        List<ReplicaId> all = new ArrayList<>();
        for (int i = 1; i <= REPLICAS; i++) {
          all.add(new ReplicaId(i));
        }
        core =
            new PrimaryBackup()
                .open(
                    new ReplicaSetup(
                        self, all, Recovered.NOTHING, incarnation,
                        Timing.of(Duration.ofMillis(50), Duration.ofMillis(500)), Limits.DEFAULTS, ReadConfirmation.LEASE, Rule.ALL));
      }

      ReplicaStatus status() {
        return core.status(now);
      }

      ReplicaId other() {
        return new ReplicaId((self.number() + random.nextInt(REPLICAS - 1)) % REPLICAS + 1);
      }

      /** Mostly the replica whose messages matter most. */
      ReplicaId peer() {
        ReplicaId primary = status().view().primary();
        return primary == null || primary.equals(self) || random.nextInt(3) == 0 ? other() : primary;
      }

      /** Mostly a token of a running execution. */
      long token() {
        return running.isEmpty() || random.nextInt(4) == 0
            ? values.number(nextToken)
            : running.remove(random.nextInt(running.size()));
      }

      /** Mostly of an update that waits for its decision. */
      DecisionId undecided(long near) {
        return undecided.isEmpty() || random.nextInt(4) == 0
            ? new DecisionId(1 + random.nextInt(9), Math.max(1, values.number(near)))
            : undecided.remove(random.nextInt(undecided.size()));
      }

      void step(Input input) {
        if (input == null) {
          return;
        }
        met.merge(status().role() + " " + input.getClass().getSimpleName(), 1, Integer::sum);
        try {
          core.step(now, now, input, this);
          core.status(now);
        } catch (RuntimeException | Error e) {
          throw new AssertionError("seed " + seed + ": " + status().role() + " threw for " + input, e);
        }
      }

      @Override
      public void send(ReplicaId to, Message message) {
        byte[] bytes = encoded(message);
        network.add(() -> {
          try {
            Message arrived = FORMAT.readAll(bytes, 0, bytes.length).get(0);
            nodes.stream()
                .filter(node -> node.self.equals(to))
                .findFirst()
                .ifPresent(node -> node.step(new Input.Received(self, arrived)));
          } catch (IOException e) {
            // A core whose counters were driven to their maximum is replaced.
          }
        });
      }

      @Override
      public void warn(String line) {
        // The replies are not checked.
      }

      @Override
      public void inform(String line) {
        // The replies are not checked.
      }

      @Override
      public void stepAgain() {
        network.add(() -> step(new Input.Continued()));
      }

      @Override
      public void multicast(Message message) {
        throw new AssertionError("Primary-backup has no group channel.");
      }

      @Override
      public void store(long token, DurableRecord record) {
        // No crashes in this test. A disk that never answers would count as one that hangs.
        network.add(() -> step(new Input.Stored(token)));
      }

      @Override
      public void execute(long token, Request.Kind kind) {
        running.add(token);
      }

      @Override
      public void reply(long token, Reply reply) {
        met.merge("reply " + reply.status(), 1, Integer::sum);
        // The caller has an answer.
      }

      @Override
      public void fail(long token, Failure failure) {
        // The caller has an answer.
      }

      @Override
      public void commit(long token, long version, List<StateChange> changes) {
        // This test keeps no image.
      }

      @Override
      public void rollback(long token) {
        running.remove(token);
      }

      @Override
      public void prepared(long token, DecisionId id) {
        undecided.add(id);
      }

      @Override
      public void inDoubt(List<InDoubt> updates) {
        updates.forEach(update -> undecided.add(update.id()));
        met.merge("in doubt", 1, Integer::sum);
      }

      @Override
      public void settled(DecisionId id, boolean stable) {
        met.merge("settled " + stable, 1, Integer::sum);
      }

      @Override
      public void changed(Role role, View view) {
        // Checked by the status.
      }

      @Override
      public void applied(long version, List<StateChange> changes) {
        // This test keeps no image.
      }

      @Override
      public void stable(long index) {
        assertTrue(index >= 0, "seed " + seed + ": stable up to " + index);
      }

      @Override
      public void receiving(int part, long version, List<StateChange> resources) {
        met.merge("receiving", 1, Integer::sum);
      }

      @Override
      public void replaced(long version) {
        met.merge("replaced", 1, Integer::sum);
      }
    }
  }
}
