package org.understudy.lab.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FaultsTest {
  private static final URI FIRST = URI.create("http://127.0.0.1:8481/counter");
  private static final URI SECOND = URI.create("http://127.0.0.1:8482/counter");

  private final Faults faults = new Faults();

  private interface Waiting {
    void run() throws Exception;
  }

  private static CompletableFuture<Void> later(Waiting waiting) {
    return CompletableFuture.runAsync(() -> {
      try {
        waiting.run();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
  }

  private AtomicReference<List<URI>> client(URI... servers) {
    AtomicReference<List<URI>> known = new AtomicReference<>(List.of(servers));
    faults.add(known::get);
    return known;
  }

  @Test
  void eachClientOfTheReplicaFollowsItsFault() throws Exception {
    AtomicReference<List<URI>> one = client(FIRST, SECOND);
    AtomicReference<List<URI>> other = client(FIRST);
    client(SECOND, FIRST);
    client();
    Faults.Fault fault = faults.causes(1, FIRST, true);
    CompletableFuture<Void> followed = later(fault::awaitFollowed);
    one.set(List.of(SECOND));
    assertFalse(followed.isDone());
    assertFalse(faults.areFollowed(), faults.toString());
    // It does not know the new view yet, and does not try the replica first any more.
    other.set(List.of(SECOND, FIRST));
    followed.join();
    assertTrue(faults.areFollowed(), faults.toString());
    assertEquals(1, faults.followed());
  }

  /** A client returns to the replica that it prefers when it learns of the view with it, which can be late. */
  @Test
  void faultWaitsForAClientOfTheReplica() throws Exception {
    AtomicReference<List<URI>> returning = client(SECOND);
    CompletableFuture<Void> caused = later(() -> faults.causes(1, FIRST, true));
    assertFalse(caused.isDone());
    returning.set(List.of(FIRST, SECOND));
    caused.join();
    assertFalse(faults.areFollowed());
    faults.causes(3, URI.create("http://127.0.0.1:8483/counter"), false).awaitFollowed();
    assertEquals("1 of 2", faults.toString());
  }
}
