package org.understudy.wsrf.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.SingleReplica;
import org.understudy.container.execution.Execution;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.UnknownResourceException;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Replica;

/** Live objects and the replica's image, with executions that come to nothing in between. */
public class ResourcesTest {
  private Replica replica;
  private Resources resources;
  private ServiceHome home;

  /** Deliberately not safe for two threads: that is the home's business. */
  public static final class Tally implements StateCapture {
    int value;

    @Override
    public byte[] captureState() {
      return ByteBuffer.allocate(4).putInt(value).array();
    }

    @Override
    public void restoreState(byte[] state) {
      value = ByteBuffer.wrap(state).getInt();
    }
  }

  @BeforeEach
  void open() throws Exception {
    replica = SingleReplica.open();
    resources = new Resources(replica, true, Tally::new, "http://here/services/Tally", 1_000);
    home = new ServiceHome(resources, Duration.ofMinutes(1));
  }

  @AfterEach
  void close() {
    replica.close();
  }

  private void leave(ResourceTransaction transaction) {
    home.unbind();
    transaction.release();
  }

  private long token(Request.Kind kind) {
    AtomicLong token = new AtomicLong();
    ReadLevel level = kind == Request.Kind.READ ? ReadLevel.LOCAL : null;
    replica.submit(
        new Request(null, 0, kind, level, VersionHandle.INITIAL, 0, ""),
        new Call() {
          @Override
          public void execute(long granted, Request.Kind what) {
            token.set(granted);
          }

          @Override
          public void reply(Reply reply) {}

          @Override
          public void fail(Failure failure) {}
        });
    return token.get();
  }

  private void end(long token, ResourceTransaction transaction) {
    home.unbind();
    Execution execution = new Execution(replica, token, true);
    execution.entered(transaction);
    execution.capture();
    execution.end(Response.EMPTY);
  }

  @Test
  void aTerminationTimeNeedsLifetimes() {
    ServiceHome without = new ServiceHome(resources, Duration.ofMinutes(1), false);
    assertTrue(
        assertThrows(IllegalStateException.class, () -> without.create(new Tally(), Instant.MAX))
            .getMessage().contains("understudy.wsrf=off"));
  }

  private String create() {
    long token = token(Request.Kind.UPDATE);
    ResourceTransaction transaction = home.enter(null, false);
    String id = home.create(new Tally());
    end(token, transaction);
    return id;
  }

  @Test
  void rolledBackUpdateLeavesNothingForTheNextTransaction() throws Exception {
    String id = create();
    AtomicInteger stood = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Random random = new Random(i);
      threads.add(new Thread(() -> {
        for (int j = 0; j < 3_000; j++) {
          long token = token(Request.Kind.UPDATE);
          ResourceTransaction transaction = home.enter(id, false);
          ((Tally) home.current()).value++;
          if (random.nextInt(3) == 0) {
            transaction.rollBack();
            replica.abandoned(token);
          } else {
            end(token, transaction);
            stood.incrementAndGet();
          }
          leave(transaction);
        }
      }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    ResourceTransaction transaction = home.enter(id, true);
    assertEquals(stood.get(), ((Tally) home.current()).value);
    leave(transaction);
  }

  @Test
  void aResourceEndsWithTheOperationThatDestroysIt() {
    String id = create();
    long token = token(Request.Kind.UPDATE);
    ResourceTransaction transaction = home.enter(id, false);
    home.destroyCurrent();
    end(token, transaction);
    ResourceTransaction after = home.enter(id, true);
    assertThrows(UnknownResourceException.class, home::current);
    leave(after);
  }

  @Test
  void theHomeIsForThreadsOfRequestsAndReadsChangeNothing() {
    assertThrows(IllegalStateException.class, home::current);
    String id = create();
    ResourceTransaction transaction = home.enter(id, true);
    assertThrows(IllegalStateException.class, () -> home.create(new Tally()));
    assertThrows(IllegalStateException.class, home::destroyCurrent);
    leave(transaction);
    assertThrows(IllegalStateException.class, home::current);
    ResourceTransaction nowhere = home.enter(null, false);
    assertThrows(UnknownResourceException.class, home::current);
    leave(nowhere);
  }

  @Test
  void rolledBackReadKeepsTheObjectForOthers() {
    String id = create();
    ResourceTransaction one = home.enter(id, true);
    StateCapture seen = one.object();
    ResourceTransaction other = home.enter(id, true);
    other.rollBack();
    leave(other);
    assertSame(seen, one.object());
    leave(one);
  }

  @Test
  void requestBehindAStuckOperationIsRefused() throws Exception {
    String id = create();
    ServiceHome impatient = new ServiceHome(resources, Duration.ofMillis(50));
    ResourceTransaction stuck = impatient.enter(id, false);
    CompletableFuture.runAsync(
            () -> {
              assertThrows(OccupiedResourceException.class, () -> impatient.enter(id, false));
              assertThrows(OccupiedResourceException.class, () -> impatient.enter(id, true));
            })
        .get(30, TimeUnit.SECONDS);
    leave(stuck);
    ResourceTransaction next = impatient.enter(id, false);
    assertNotNull(next.object());
    leave(next);
  }

  @Test
  void unknownResourcesAreNotKept() {
    for (int i = 0; i < 100; i++) {
      leave(home.enter("invented" + i, i % 2 == 0));
    }
    String id = create();
    ResourceTransaction one = home.enter(id, true);
    assertEquals(1, resources.used());
    leave(one);
    assertEquals(0, resources.used());
  }

  @Test
  void throwingExecutionIsRolledBackAndReleasesItsResource() {
    String id = create();
    for (boolean captured : new boolean[] {false, true}) {
      ResourceTransaction transaction = resources.transaction(id, false);
      assertTrue(transaction.request(() -> {}));
      transaction.begin();
      try (Execution execution = new Execution(replica, token(Request.Kind.UPDATE), true)) {
        execution.entered(transaction);
        ((Tally) transaction.current()).value = 7;
        if (captured) {
          execution.capture();
        }
      }
      ResourceTransaction after = home.enter(id, true);
      assertEquals(0, ((Tally) home.current()).value);
      leave(after);
    }
  }

  @Test
  void transactionWaitsWithoutAThreadAndCanBeWithdrawn() {
    String id = create();
    List<String> in = new ArrayList<>();
    ResourceTransaction first = resources.transaction(id, false);
    ResourceTransaction second = resources.transaction(id, false);
    ResourceTransaction third = resources.transaction(id, true);
    ResourceTransaction fourth = resources.transaction(id, true);
    assertTrue(first.request(() -> in.add("first")));
    assertFalse(second.request(() -> in.add("second")));
    assertFalse(third.request(() -> in.add("third")));
    assertFalse(fourth.request(() -> in.add("fourth")));
    assertTrue(second.withdraw());
    assertEquals(List.of(), in);
    CompletableFuture.runAsync(first::release).join();
    assertEquals(List.of("third", "fourth"), in);
    assertFalse(third.withdraw());
    third.release();
    third.release();
    fourth.release();
    assertEquals(0, resources.used());
  }

  private int value(ResourceTransaction transaction) {
    return ((Tally) transaction.object()).value;
  }

  /** An update that sets the value. */
  private void set(String id, int value) {
    long token = token(Request.Kind.UPDATE);
    ResourceTransaction transaction = home.enter(id, false);
    ((Tally) home.current()).value = value;
    end(token, transaction);
  }

  private ResourceTransaction waitingRead(String id) {
    ResourceTransaction read = resources.transaction(id, true);
    assertFalse(read.request(() -> {}));
    return read;
  }

  @Test
  void aReadBehindAnUpdateSeesACopyOfWhatWasApplied() {
    String id = create();
    set(id, 1);
    long token = token(Request.Kind.UPDATE);
    ResourceTransaction update = home.enter(id, false);
    ((Tally) home.current()).value = 2;
    ResourceTransaction read = waitingRead(id);
    assertTrue(read.readCopy());
    read.begin();
    assertEquals(1, value(read));
    assertEquals(Map.of(id, replica.version(id)), read.versions());
    ResourceTransaction other = waitingRead(id);
    assertTrue(other.readCopy());
    assertSame(read.object(), other.object());
    end(token, update);
    // What a read has seen stays, and it holds nothing that others wait for.
    assertEquals(1, value(read));
    ResourceTransaction next = home.enter(id, false);
    assertEquals(2, value(next));
    ResourceTransaction late = waitingRead(id);
    assertTrue(late.readCopy());
    assertEquals(2, value(late));
    next.release();
    read.release();
    other.release();
    late.release();
    assertEquals(0, resources.used());
  }

  @Test
  void copyIsNotOlderThanTheReadsArrival() {
    String id = create();
    set(id, 1);
    ResourceTransaction update = home.enter(id, false);
    ResourceTransaction early = waitingRead(id);
    assertTrue(early.readCopy());
    // The update goes on to its end, and another one holds the lock before the next read arrives.
    long token = token(Request.Kind.UPDATE);
    ((Tally) update.object()).value = 5;
    ResourceTransaction another = resources.transaction(id, false);
    assertFalse(another.request(() -> {}));
    end(token, update);
    ResourceTransaction late = waitingRead(id);
    assertTrue(late.readCopy());
    assertEquals(5, value(late));
    assertEquals(1, value(early));
    another.rollBack();
    another.release();
  }

  @Test
  void onlyReadsThatWaitForAStateObjectGetACopy() {
    String id = create();
    ResourceTransaction free = resources.transaction(id, true);
    assertTrue(free.request(() -> {}));
    assertFalse(free.readCopy());
    ResourceTransaction update = resources.transaction(id, false);
    assertFalse(update.request(() -> {}));
    assertFalse(update.readCopy());
    ResourceTransaction granted = resources.transaction(id, true);
    assertFalse(granted.request(() -> {}));
    assertTrue(update.withdraw());
    // The lock came first.
    assertFalse(granted.readCopy());
    free.release();
    granted.release();
    Tally itself = new Tally();
    Resources one = new Resources(replica, true, () -> itself, "http://here/services/Tally", 1_000);
    one.begin(itself);
    Resources here = new Resources(replica, false, Tally::new, "http://here/services/Tally", 1_000);
    for (ResourceTransaction held : List.of(one.transaction(Resources.SERVICE, false), here.transaction(id, false))) {
      assertTrue(held.request(() -> {}));
    }
    ResourceTransaction single = one.transaction(Resources.SERVICE, true);
    assertFalse(single.request(() -> {}));
    assertFalse(single.readCopy());
    one.copyServiceBy(Tally::new);
    assertTrue(single.readCopy());
    single.begin();
    assertNotSame(itself, single.object());
    assertEquals(0, value(single));
    single.release();
    ResourceTransaction unreplicated = here.transaction(id, true);
    assertFalse(unreplicated.request(() -> {}));
    assertFalse(unreplicated.readCopy());
    assertEquals(0, resources.used());
  }

  @Test
  void readOfACopyFindsNoUncommittedResource() {
    ResourceTransaction update = home.enter("unknown", false);
    ResourceTransaction read = waitingRead("unknown");
    assertTrue(read.readCopy());
    assertThrows(UnknownResourceException.class, read::current);
    leave(update);
    assertEquals(0, resources.used());
  }

  /** The service's own object is one for all: a read that must restore it waits until it is alone. */
  @Test
  void readRestoresTheServiceObjectExclusivelyAndThenSharesIt() {
    Tally itself = new Tally();
    Resources one = new Resources(replica, true, () -> itself, "http://here/services/Tally", 1_000);
    one.begin(itself);
    AtomicInteger in = new AtomicInteger();
    ResourceTransaction old = one.transaction(Resources.SERVICE, false);
    assertTrue(old.request(in::incrementAndGet));
    old.begin();
    ResourceTransaction reader = one.transaction(Resources.SERVICE, true);
    assertFalse(reader.request(in::incrementAndGet));
    old.rollBack();
    old.release();
    assertEquals(1, in.get());
    ResourceTransaction other = one.transaction(Resources.SERVICE, true);
    assertFalse(other.request(in::incrementAndGet));
    reader.begin();
    assertEquals(2, in.get());
    other.begin();
    reader.release();
    other.release();
    assertEquals(0, one.used());
  }
}
