package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.understudy.test.Condition;

class SessionLocksTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final SessionLocks locks = new SessionLocks();

  @Test
  void requestsBeyondTheLimitAreRefusedAtOnce() throws Exception {
    assertNull(locks.take("a", LONG));
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<CompletableFuture<String>> waiting = new ArrayList<>();
      for (int i = 0; i < SessionLocks.MAX_WAITING; i++) {
        waiting.add(CompletableFuture.supplyAsync(this::takeAndRelease, threads));
      }
      Condition.await("all to wait", () -> locks.users("a") == 1 + SessionLocks.MAX_WAITING);
      assertEquals("32 requests of the session wait for another one.", locks.take("a", LONG));
      assertNull(locks.take("b", LONG));
      locks.release("b");
      locks.release("a");
      for (CompletableFuture<String> one : waiting) {
        assertNull(one.get(LONG.toSeconds(), TimeUnit.SECONDS));
      }
      assertFalse(locks.isUsed("a"));
      assertEquals(0, locks.size());
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void patienceEnds() throws Exception {
    assertNull(locks.take("a", LONG));
    assertEquals("Another request of the session has not ended for 0 s.", locks.take("a", Duration.ZERO));
    assertEquals(1, locks.users("a"));
  }

  @Test
  void aLockIsTakenWithoutWaitingOnlyIfItIsUnused() throws Exception {
    assertTrue(locks.takeUnused("a"));
    assertFalse(locks.takeUnused("a"));
    assertEquals(1, locks.users("a"));
    assertEquals("Another request of the session has not ended for 0 s.", locks.take("a", Duration.ZERO));
    locks.release("a");
    assertEquals(0, locks.size());
    assertNull(locks.take("a", LONG));
    assertFalse(locks.takeUnused("a"));
    locks.release("a");
    assertEquals(0, locks.size());
  }

  private String takeAndRelease() {
    try {
      String refused = locks.take("a", LONG);
      if (refused == null) {
        locks.release("a");
      }
      return refused;
    } catch (InterruptedException e) {
      return e.toString();
    }
  }
}
