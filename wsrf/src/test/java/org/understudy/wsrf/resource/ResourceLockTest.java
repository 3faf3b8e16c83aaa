package org.understudy.wsrf.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.understudy.wsrf.resource.ResourceLock.Claim;
import org.understudy.wsrf.resource.ResourceLock.State;

/** A queue of claims, without and with threads. */
class ResourceLockTest {
  private final ResourceLock lock = new ResourceLock();
  private final List<String> granted = new ArrayList<>();

  private Claim claim(boolean shared, String name) {
    return lock.claim(shared, () -> granted.add(name));
  }

  @Test
  void claimsAreGrantedInOrderAndReadsShare() {
    Claim one = claim(true, "read 1");
    Claim two = claim(true, "read 2");
    Claim update = claim(false, "update");
    Claim three = claim(true, "read 3");
    assertEquals(State.HELD, one.request());
    assertEquals(State.HELD, two.request());
    assertEquals(State.WAITING, update.request());
    assertEquals(State.WAITING, three.request());
    one.end();
    assertEquals(List.of(), granted);
    two.end();
    assertEquals(List.of("update"), granted);
    update.end();
    update.end();
    assertEquals(List.of("update", "read 3"), granted);
    three.end();
    assertFalse(lock.isUsed());
  }

  @Test
  void waitingClaimsAreGrantedByPriorityAndThoseWithoutOneFirst() {
    Claim holder = lock.claim(false, () -> {
      throw new AssertionError("A claim that does not wait needs no priority.");
    }, () -> {});
    assertEquals(State.HELD, holder.request());
    List<Claim> claims = new ArrayList<>();
    for (int priority : new int[] {1, 5, 9, 5, 1}) {
      String name = priority + " as " + claims.size();
      claims.add(lock.claim(false, () -> priority, () -> granted.add(name)));
    }
    claims.add(claim(false, "without 5"));
    claims.add(claim(false, "without 6"));
    claims.forEach(claim -> assertEquals(State.WAITING, claim.request()));
    claims.get(3).end();
    holder.end();
    for (int next : new int[] {5, 6, 2, 1, 0, 4}) {
      claims.get(next).end();
    }
    assertEquals(List.of("without 5", "without 6", "9 as 2", "5 as 1", "1 as 0", "1 as 4"), granted);
    assertFalse(lock.isUsed());
  }

  @Test
  void noClaimWaitsForEver() {
    Claim holder = claim(true, "holder");
    holder.request();
    Claim low = lock.claim(false, () -> 1, () -> granted.add("low"));
    low.request();
    // A stream of reads, each of which begins before the one before it has ended.
    for (int i = 0; i < 2 * ResourceLock.MAX_OVERTAKEN && !granted.contains("low"); i++) {
      Claim read = claim(true, "read");
      read.request();
      holder.end();
      holder = read;
    }
    assertEquals(ResourceLock.MAX_OVERTAKEN + 1, granted.size());
    assertEquals("low", granted.get(ResourceLock.MAX_OVERTAKEN));
  }

  @Test
  void withdrawnClaimUnblocksLaterClaims() {
    Claim reader = claim(true, "reader");
    Claim update = claim(false, "update");
    Claim behind = claim(true, "behind");
    reader.request();
    update.request();
    behind.request();
    update.end();
    assertEquals(List.of("behind"), granted);
  }

  @Test
  void onlyAnUnusedLockCanBeClosed() {
    Claim holder = claim(false, "holder");
    Claim waiter = claim(false, "waiter");
    holder.request();
    waiter.request();
    assertFalse(holder.close());
    holder.end();
    assertTrue(waiter.close());
    assertEquals(State.CLOSED, claim(true, "late").request());
    waiter.end();
    assertEquals(State.CLOSED, claim(false, "later").request());
  }

  @Test
  void downgradedClaimAdmitsReads() {
    Claim first = claim(false, "first");
    Claim reader = claim(true, "reader");
    Claim update = claim(false, "update");
    first.request();
    reader.request();
    update.request();
    first.share();
    assertEquals(List.of("reader"), granted);
    first.end();
    reader.end();
    assertEquals(List.of("reader", "update"), granted);
  }

  @Test
  void claimsThatEndWhenGrantedDoNotNest() {
    AtomicInteger ended = new AtomicInteger();
    AtomicInteger depth = new AtomicInteger();
    Claim holder = claim(false, "holder");
    holder.request();
    for (int i = 0; i < 5_000; i++) {
      Claim[] own = new Claim[1];
      own[0] =
          lock.claim(
              false,
              () -> {
                assertEquals(1, depth.incrementAndGet());
                own[0].end();
                depth.decrementAndGet();
                ended.incrementAndGet();
              });
      own[0].request();
    }
    holder.end();
    assertEquals(5_000, ended.get());
    assertFalse(lock.isUsed());
  }

  @Test
  void failedCallbackKeepsNoOtherFromRunning() {
    Claim update = claim(false, "update");
    update.request();
    Claim failing =
        lock.claim(
            true,
            () -> {
              throw new IllegalStateException("failed");
            });
    Claim reader = claim(true, "reader");
    failing.request();
    reader.request();
    assertEquals("failed", assertThrows(IllegalStateException.class, update::end).getMessage());
    assertEquals(List.of("reader"), granted);
    failing.end();
    reader.end();
    assertFalse(lock.isUsed());
  }

  @Test
  void updatesAreExclusiveAmongThreads() throws Exception {
    AtomicInteger updates = new AtomicInteger();
    AtomicInteger reads = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Random random = new Random(i);
      threads.add(new Thread(() -> {
        for (int j = 0; j < 5_000; j++) {
          boolean shared = random.nextInt(3) > 0;
          Semaphore in = new Semaphore(0);
          Claim claim = lock.claim(shared, in::release);
          if (claim.request() == State.WAITING) {
            if (random.nextInt(4) == 0) {
              claim.end();
              continue;
            }
            in.acquireUninterruptibly();
          }
          AtomicInteger mine = shared ? reads : updates;
          mine.incrementAndGet();
          if (updates.get() > (shared ? 0 : 1) || (!shared && reads.get() > 0)) {
            wrong.incrementAndGet();
          }
          mine.decrementAndGet();
          claim.end();
        }
      }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, wrong.get());
    assertFalse(lock.isUsed());
  }
}
