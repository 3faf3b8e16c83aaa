package org.understudy.wsrf.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.SingleReplica;
import org.understudy.container.execution.ReplicatedUpdates;
import org.understudy.container.service.Lamp;
import org.understudy.replication.core.time.ClockReading;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.time.GroupClocks;
import org.understudy.test.Condition;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.resource.TerminationTime;

/** Ends by a clock of the test's own. */
class LifetimesTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final VirtualClock clock = new VirtualClock();
  /** By how much the wall clocks of a majority are ahead of the counted one. */
  private volatile long wallSeconds;
  private Replica replica;
  private Resources resources;
  private ReplicatedUpdates updates;
  private Lifetimes lifetimes;

  /** Stands until it is set. */
  private static final class VirtualClock extends Clock {
    private volatile Instant now = START;

    /** How often the thread that ends resources has looked at it. */
    private final AtomicInteger looks = new AtomicInteger();

    @Override
    public Instant instant() {
      Instant told = now;
      if (Thread.currentThread().getName().equals("understudy-lifetimes")) {
        looks.incrementAndGet();
      }
      return told;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @BeforeEach
  void open() throws Exception {
    replica = SingleReplica.open();
    resources = new Resources(replica, true, Lamp::new, "http://here/services/Lamp", 1_000);
    updates = new ReplicatedUpdates(replica, resources, true, 1_000);
    lifetimes = new Lifetimes(replica.duties(), updates, clock);
    replica.observe(lifetimes);
  }

  private static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }

  @AfterEach
  void close() {
    lifetimes.close();
    updates.close();
    replica.close();
  }

  private void update(String key, Consumer<ResourceTransaction> change) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    updates.run(key, transaction -> {
      change.accept(transaction);
      return true;
    }, () -> done.complete(true), failure -> done.complete(false));
    assertEquals(true, done.orTimeout(30, TimeUnit.SECONDS).join());
  }

  private void keep(String key, Instant end) {
    update(key, transaction -> {
      transaction.put(key, ByteBuffer.allocate(4).array());
      lifetimes.set(transaction, key, end);
    });
  }

  @Test
  void dueResourcesEndWithTheirTimes() {
    keep("a/1", START.plusSeconds(10));
    keep("a/2", START.plusSeconds(20));
    keep("a/3", null);
    clock.now = START.plusSeconds(15);
    Condition.await(() -> replica.state("a/1") == null);
    assertNull(replica.state(TerminationTime.key("a/1")));
    assertNotNull(replica.state("a/2"));
    assertNotNull(replica.state("a/3"));
  }

  /** An hour's lifetime is counted, whatever the clocks show that clients are told. */
  @Test
  void wallClocksThatAreSetEndNothing() {
    GroupClocks clocks = new GroupClocks(() -> nanos(clock.instant()), () -> nanos(clock.instant().plusSeconds(wallSeconds)));
    clocks.read(new ClockReading(0, 0));
    resources.clocks(clocks);
    keep("a/1", START.plusSeconds(3_600));
    wallSeconds = 86_400;
    clocks.read(new ClockReading(0, 86_400_000_000_000L));
    keep("a/2", START.plusSeconds(86_400 + 1_800));
    clock.now = START.plusSeconds(1_799);
    keep("a/3", START.plusSeconds(86_400));
    Condition.await("the end of what is due", () -> replica.state("a/3") == null);
    assertNotNull(replica.state("a/2"));
    clock.now = START.plusSeconds(1_800);
    Condition.await("the end of half an hour", () -> replica.state("a/2") == null);
    assertNotNull(replica.state("a/1"));
    assertEquals(START.plusSeconds(3_600), TerminationTime.read(replica.state(TerminationTime.key("a/1"))), "as clients were told");
    wallSeconds = -86_400;
    clock.now = START.plusSeconds(3_600);
    Condition.await("the end of the hour", () -> replica.state("a/1") == null);
  }

  /** A state that a build before the counted clock has left. */
  @Test
  void aTimeWithoutDeadlineIsItsOwn() {
    keep("a/1", START.plusSeconds(10));
    byte[] kept = replica.state(TerminationTime.key("a/1"));
    update("a/1", transaction -> transaction.put(TerminationTime.key("a/1"), Arrays.copyOf(kept, 12)));
    assertEquals(START.plusSeconds(10), TerminationTime.deadline(replica.state(TerminationTime.key("a/1"))));
    clock.now = START.plusSeconds(10);
    Condition.await(() -> replica.state("a/1") == null);
  }

  @Test
  void theTimeSetLastCounts() {
    keep("a/1", START.plusSeconds(10));
    keep("a/2", START.plusSeconds(100));
    update("a/1", transaction -> lifetimes.set(transaction, "a/1", START.plusSeconds(100)));
    update("a/2", transaction -> lifetimes.set(transaction, "a/2", START.plusSeconds(10)));
    clock.now = START.plusSeconds(50);
    Condition.await(() -> replica.state("a/2") == null);
    assertNotNull(replica.state("a/1"));
    update("a/1", transaction -> lifetimes.set(transaction, "a/1", null));
    keep("a/3", START.plusSeconds(150));
    clock.now = START.plusSeconds(200);
    Condition.await(() -> replica.state("a/3") == null);
    assertNotNull(replica.state("a/1"));
  }

  @Test
  void timeChangedDuringTheEndCounts() {
    keep("a/1", START.plusSeconds(10));
    update("a/1", transaction -> {
      // One update runs at a time: the end that is asked for meanwhile comes after this one.
      clock.now = START.plusSeconds(20);
      int looked = clock.looks.get();
      Condition.await(() -> clock.looks.get() >= looked + 3);
      lifetimes.set(transaction, "a/1", START.plusSeconds(100));
    });
    keep("a/2", START.plusSeconds(15));
    Condition.await(() -> replica.state("a/2") == null);
    assertNotNull(replica.state("a/1"));
    clock.now = START.plusSeconds(100);
    Condition.await(() -> replica.state("a/1") == null);
  }

  @Test
  void aKindOfResourceEndsInItsOwnWay() {
    List<String> ended = Collections.synchronizedList(new ArrayList<>());
    lifetimes.end("b/", transaction -> {
      ended.add(transaction.key());
      transaction.remove(transaction.key());
    });
    keep("b/1", START.plusSeconds(10));
    keep("a/1", START.plusSeconds(10));
    clock.now = START.plusSeconds(10);
    Condition.await(() -> replica.state("a/1") == null && replica.state("b/1") == null);
    assertEquals(List.of("b/1"), ended);
  }

  @Test
  void manyEndTogether() {
    for (int i = 0; i < 300; i++) {
      keep("a/" + i, START.plusSeconds(10));
    }
    clock.now = START.plusSeconds(10);
    for (int i = 0; i < 300; i++) {
      String key = "a/" + i;
      Condition.await(() -> replica.state(key) == null);
    }
  }
}
