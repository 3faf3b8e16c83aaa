package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.replication.runtime.peer.PeerChannel;
import org.understudy.replication.runtime.peer.PeerReceiver;
import org.understudy.test.strategy.StepStrategy;
import org.understudy.test.strategy.WrappedStrategy;

class TicksTest {
  @Test
  void pauseIsAFractionOfAHeartbeatWithAMinimum() {
    assertEquals(10_000_000, Ticks.pauseNanos(Timing.of(Duration.ofMillis(50), Duration.ofMillis(500))));
    assertEquals(2_000_000, Ticks.pauseNanos(Timing.of(Duration.ofMillis(5), Duration.ofMillis(50))));
  }

  /** A late tick shows the core the time at which it runs. */
  @Test
  void tickReadsTheTimeInItsStep() throws Exception {
    ManualHost host = new ManualHost();
    List<String> steps = new ArrayList<>();
    WrappedStrategy strategy =
        new WrappedStrategy(
            new StepStrategy((input, out) -> {}),
            core ->
                new ReplicaCore() {
                  @Override
                  public void step(long now, long wall, Input input, Effects out) {
                    steps.add(input.getClass().getSimpleName() + " at " + now + ", " + wall);
                  }

                  @Override
                  public ReplicaStatus status(long now) {
                    return core.status(now);
                  }

                  @Override
                  public long digest() {
                    return 0;
                  }
                });
    ReplicaId self = new ReplicaId(1);
    RuntimeSettings settings =
        new RuntimeSettings(
            self, List.of(self), null, Timing.of(Duration.ofMillis(50), Duration.ofMillis(500)), Limits.DEFAULTS,
            Duration.ofSeconds(1));
    try (Replica replica = Replica.open(settings, strategy, Channels.NONE, host, Rule.ALL)) {
      host.tick.run();
      host.monotonic = 900_000_000;
      host.wall = 70;
      host.tick.run();
      replica.abandoned(3);
      assertEquals(List.of("Tick at 1000, 5000", "Tick at 900000000, 70", "Abandoned at 900000000, 70"), steps);
    }
  }

  /** A connection that stays open keeps its peer from noticing at once. */
  @Test
  void haltedReplicaClosesItsChannelsAgainAfterAFailure() throws Exception {
    ManualHost host = new ManualHost();
    AtomicInteger closed = new AtomicInteger();
    PeerChannel failing =
        new PeerChannel() {
          @Override
          public String name() {
            return "failing";
          }

          @Override
          public void open(PeerReceiver receiver) {}

          @Override
          public void start() {}

          @Override
          public void send(ReplicaId to, List<Message> messages) {}

          @Override
          public void close() {
            if (closed.incrementAndGet() == 1) {
              throw new NoClassDefFoundError("for the test");
            }
          }
        };
    ReplicaId self = new ReplicaId(1);
    RuntimeSettings settings =
        new RuntimeSettings(
            self, List.of(self), null, Timing.of(Duration.ofMillis(50), Duration.ofMillis(500)), Limits.DEFAULTS,
            Duration.ofSeconds(1));
    try (Replica replica =
        Replica.open(settings, new StepStrategy((input, out) -> {}), new Channels(failing, null), host, Rule.ALL)) {
      replica.halt("the test says so");
      host.tick.run();
      host.tick.run();
      host.tick.run();
      assertEquals(2, closed.get());
      assertEquals("the test says so", replica.halted());
    }
  }
}
