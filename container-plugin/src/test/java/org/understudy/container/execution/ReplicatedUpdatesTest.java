package org.understudy.container.execution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.SingleReplica;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.Replica;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.resource.ResourcesTest.Tally;
import org.understudy.wsrf.resource.ServiceHome;

/** Updates that no client asked for. */
class ReplicatedUpdatesTest {
  private Replica replica;
  private Resources resources;
  private ReplicatedUpdates updates;

  @BeforeEach
  void open() throws Exception {
    replica = SingleReplica.open();
    resources = new Resources(replica, true, Tally::new, "http://here/services/Tally", 1_000);
    updates = new ReplicatedUpdates(replica, resources, true, 2);
  }

  @AfterEach
  void close() {
    updates.close();
    replica.close();
  }

  /** Null when it is done. */
  private CompletableFuture<Failure> run(String key, Predicate<ResourceTransaction> update) {
    CompletableFuture<Failure> outcome = new CompletableFuture<>();
    updates.run(key, update, () -> outcome.complete(null), outcome::complete);
    return outcome.orTimeout(30, TimeUnit.SECONDS);
  }

  @Test
  void updateIsVisibleWhenItIsDone() {
    assertNull(run("test/a", transaction -> {
      transaction.put("test/a", new byte[] {7});
      return true;
    }).join());
    assertArrayEquals(new byte[] {7}, replica.state("test/a"));
  }

  @Test
  void updateWithoutChangesIsDoneAndNotReplicated() {
    long before = replica.status().stable();
    assertNull(run("test/a", transaction -> {
      transaction.put("test/a", new byte[] {7});
      return false;
    }).join());
    assertNull(replica.state("test/a"));
    assertEquals(before, replica.status().stable());
  }

  @Test
  void throwingUpdateIsRolledBackAndReported() {
    Failure failure = run("test/a", transaction -> {
      transaction.put("test/a", new byte[] {7});
      throw new IllegalStateException("the test's");
    }).join();
    assertEquals(FailureCode.NotReady, failure.code());
    assertNull(replica.state("test/a"));
    assertNull(run("test/b", transaction -> false).join());
  }

  @Test
  void anOccupiedResourceDelaysItsOwnUpdateOnly() {
    ResourceTransaction occupant = new ServiceHome(resources, Duration.ofMinutes(1)).enter("test/a", false);
    CompletableFuture<Failure> occupied = run("test/a", transaction -> {
      transaction.put("test/a", new byte[] {1});
      return true;
    });
    try {
      assertNull(run("test/b", transaction -> {
        transaction.put("test/b", new byte[] {2});
        return true;
      }).join());
      assertNull(replica.state("test/a"));
    } finally {
      occupant.release();
    }
    assertNull(occupied.join());
    assertArrayEquals(new byte[] {1}, replica.state("test/a"));
  }

  @Test
  void moreThanTheLimitAreRefusedAtOnce() {
    ResourceTransaction occupant = new ServiceHome(resources, Duration.ofMinutes(1)).enter("test/a", false);
    CompletableFuture<Failure> first = run("test/a", transaction -> false);
    CompletableFuture<Failure> second = run("test/a", transaction -> false);
    try {
      assertEquals(FailureCode.Overloaded, run("test/b", transaction -> false).join().code());
    } finally {
      occupant.release();
    }
    assertNull(first.join());
    assertNull(second.join());
    assertNull(run("test/b", transaction -> false).join());
  }

  @Test
  void anUpdateThatWaitsWhenTheyAreClosedFails() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CompletableFuture<Failure> first = run("test/a", transaction -> {
      entered.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return false;
    });
    entered.await();
    CompletableFuture<Failure> second = run("test/b", transaction -> true);
    updates.close();
    assertEquals(FailureCode.NotReady, second.join().code());
    first.join();
  }

  /** A state that cannot always be captured or restored. */
  private static final class Fragile implements StateCapture {
    private byte value;

    @Override
    public byte[] captureState() {
      if (value == 13) {
        throw new IllegalStateException("the test's");
      }
      return new byte[] {value};
    }

    @Override
    public void restoreState(byte[] state) {
      if (state[0] == 14) {
        throw new IllegalStateException("the test's");
      }
      value = state[0];
    }
  }

  private CompletableFuture<Failure> set(int value) {
    return run(Resources.SERVICE, transaction -> {
      ((Fragile) transaction.object()).value = (byte) value;
      return true;
    });
  }

  private void fragile() {
    updates.close();
    resources = new Resources(replica, true, Fragile::new, "http://here/services/Fragile", 1_000);
    resources.begin(new Fragile());
    updates = new ReplicatedUpdates(replica, resources, true, 2);
  }

  @Test
  void anUpdateWhoseStateCannotBeCapturedFailsForGoodAndIsUndone() {
    fragile();
    assertNull(set(7).join());
    assertEquals(FailureCode.ExecutionFailed, set(13).join().code());
    assertNull(run(Resources.SERVICE, transaction -> {
      assertEquals(7, ((Fragile) transaction.object()).value);
      return true;
    }).join());
  }

  @Test
  void anUpdateOfAStateThatCannotBeRestoredFailsForGood() {
    fragile();
    assertNull(set(14).join());
    fragile();
    assertEquals(FailureCode.ExecutionFailed, set(7).join().code());
  }

  @Test
  void afterTheEndNothingIsExecuted() {
    updates.close();
    assertEquals(FailureCode.NotReady, run("test/a", transaction -> true).join().code());
  }
}
