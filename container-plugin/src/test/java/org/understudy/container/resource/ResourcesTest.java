package org.understudy.container.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.UnknownResourceException;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Limits;
import org.understudy.replication.core.Reply;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.Response;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.primarybackup.Unreplicated;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.RuntimeSettings;
import org.understudy.test.Condition;

/** Live objects and the replica's image, with executions that come to nothing in between. */
class ResourcesTest {
  private Replica replica;
  private Resources resources;

  /** Deliberately not safe for two threads: that is the home's business. */
  static final class Tally implements StateCapture {
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
    ReplicaId self = new ReplicaId(1);
    replica =
        Replica.open(
            new RuntimeSettings(self, List.of(self), Path.of("unused"),
                Timing.of(Duration.ofMillis(20), Duration.ofMillis(100)), Limits.DEFAULTS, Duration.ofSeconds(20)),
            new Unreplicated(), null);
    Condition.await(() -> replica.role() == Role.PRIMARY);
    resources = new Resources(replica, true, Tally::new, "http://here/services/Tally", 1_000);
  }

  @AfterEach
  void close() {
    replica.close();
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

  private String create() {
    long token = token(Request.Kind.UPDATE);
    Visit visit = resources.enter(null, false);
    String id = resources.create(new Tally());
    List<StateChange> changes = visit.capture(true);
    visit.keep();
    replica.executed(token, Response.EMPTY, changes);
    visit.leave();
    return id;
  }

  @Test
  void anUpdateThatComesToNothingLeavesNothingWhoeverWaitedBehindIt() throws Exception {
    String id = create();
    AtomicInteger stood = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Random random = new Random(i);
      threads.add(new Thread(() -> {
        for (int j = 0; j < 3_000; j++) {
          long token = token(Request.Kind.UPDATE);
          Visit visit = resources.enter(id, false);
          ((Tally) resources.current()).value++;
          if (random.nextInt(3) == 0) {
            visit.discard();
            replica.abandoned(token);
          } else {
            List<StateChange> changes = visit.capture(true);
            visit.keep();
            replica.executed(token, Response.EMPTY, changes);
            stood.incrementAndGet();
          }
          visit.leave();
        }
      }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    Visit visit = resources.enter(id, true);
    assertEquals(stood.get(), ((Tally) resources.current()).value);
    visit.leave();
  }

  @Test
  void aResourceEndsWithTheOperationThatDestroysIt() {
    String id = create();
    long token = token(Request.Kind.UPDATE);
    Visit visit = resources.enter(id, false);
    resources.destroyCurrent();
    List<StateChange> changes = visit.capture(true);
    visit.keep();
    replica.executed(token, Response.EMPTY, changes);
    visit.leave();
    Visit after = resources.enter(id, true);
    assertThrows(UnknownResourceException.class, resources::current);
    after.leave();
  }

  @Test
  void theHomeIsForThreadsOfRequestsAndReadsChangeNothing() {
    assertThrows(IllegalStateException.class, resources::current);
    String id = create();
    Visit visit = resources.enter(id, true);
    assertThrows(IllegalStateException.class, () -> resources.create(new Tally()));
    assertThrows(IllegalStateException.class, resources::destroyCurrent);
    visit.leave();
    assertThrows(IllegalStateException.class, resources::current);
    Visit nowhere = resources.enter(null, false);
    assertThrows(UnknownResourceException.class, resources::current);
    nowhere.leave();
  }

  @Test
  void aReadThatComesToNothingTakesTheObjectFromNoOtherReader() {
    String id = create();
    Visit one = resources.enter(id, true);
    StateCapture seen = one.object();
    Visit other = resources.enter(id, true);
    other.discard();
    other.leave();
    assertSame(seen, one.object());
    one.leave();
  }

  @Test
  void whoWaitsBehindAnOperationThatDoesNotEndIsRefused() throws Exception {
    String id = create();
    Resources impatient =
        new Resources(replica, true, Tally::new, "http://here/services/Tally", 1_000, Duration.ofMillis(50));
    Visit stuck = impatient.enter(id, false);
    CompletableFuture.runAsync(
            () -> {
              assertThrows(OccupiedResourceException.class, () -> impatient.enter(id, false));
              assertThrows(OccupiedResourceException.class, () -> impatient.enter(id, true));
            })
        .get(30, TimeUnit.SECONDS);
    stuck.leave();
    Visit next = impatient.enter(id, false);
    assertNotNull(next.object());
    next.leave();
  }
}
