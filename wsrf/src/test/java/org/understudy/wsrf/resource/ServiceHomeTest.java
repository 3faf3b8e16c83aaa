package org.understudy.wsrf.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.UpdateFailedException;
import org.understudy.replication.core.request.Failure;

/** The futures of a service's own updates. The test reports what came of them, as a replica's threads do. */
class ServiceHomeTest {
  private final List<Runnable> done = new ArrayList<>();
  private final ServiceHome home =
      new ServiceHome(new Resources(null, true, () -> null, "http://here/services/Shop", 1), Duration.ofSeconds(1));

  ServiceHomeTest() {
    home.updateThrough((key, update, whenDone, failed) -> done.add(whenDone));
  }

  @AfterEach
  void close() {
    home.endUpdates();
  }

  private CompletableFuture<Void> update() {
    return home.update(null, state -> {}).orTimeout(30, TimeUnit.SECONDS);
  }

  private static FailureCode code(CompletableFuture<Void> failed) {
    return assertInstanceOf(UpdateFailedException.class, assertThrows(CompletionException.class, failed::join).getCause()).code();
  }

  @Test
  void aDependentDoesNotRunOnTheThreadThatReportsTheUpdate() {
    CompletableFuture<Thread> dependent = update().thenApply(nothing -> Thread.currentThread());
    done.get(0).run();
    assertNotSame(Thread.currentThread(), dependent.join());
  }

  @Test
  void aFailureIsNotReportedOnTheThreadOfTheReplicaEither() {
    home.updateThrough((key, update, whenDone, failed) ->
        done.add(() -> failed.accept(new Failure(FailureCode.NotPrimary, "Another is."))));
    CompletableFuture<Thread> dependent = update().handle((nothing, failure) -> Thread.currentThread());
    done.get(0).run();
    assertNotSame(Thread.currentThread(), dependent.join());
  }

  @Test
  void aDependentThatBlocksDelaysNoOtherUpdate() throws Exception {
    CountDownLatch second = new CountDownLatch(1);
    CompletableFuture<Boolean> first =
        update().thenApply(nothing -> {
          try {
            return second.await(30, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            return false;
          }
        });
    update().thenRun(second::countDown);
    done.forEach(Runnable::run);
    assertEquals(true, first.get(60, TimeUnit.SECONDS));
  }

  @Test
  void updatesWithoutAResultAreLimited() {
    for (int i = 0; i < UpdateResults.MAX_OPEN; i++) {
      assertFalse(home.update(null, state -> {}).isDone());
    }
    assertEquals(FailureCode.Overloaded, code(home.update(null, state -> {})));
    assertEquals(UpdateResults.MAX_OPEN, done.size());
  }

  @Test
  void aStoppedServiceExecutesNoUpdate() {
    home.close();
    assertEquals(FailureCode.NotReady, code(update()));
    assertEquals(List.of(), done);
  }

  @Test
  void anUpdateThatIsUnderWayWhenTheServiceIsStoppedIsNotExecuted() {
    List<Object> executed = new ArrayList<>();
    home.updateThrough((key, update, whenDone, failed) -> done.add(() -> {
      assertFalse(update.test(null));
      whenDone.run();
    }));
    CompletableFuture<Void> update = home.update(null, executed::add).orTimeout(30, TimeUnit.SECONDS);
    home.close();
    done.get(0).run();
    assertEquals(FailureCode.NotReady, code(update));
    assertEquals(List.of(), executed);
  }
}
