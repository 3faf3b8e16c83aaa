package org.understudy.client.group;

import java.net.ConnectException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.understudy.client.InvocationFailedException;
import org.understudy.replication.api.Certainty;

/** The tries of one request: what each address said last, how long to pause, and what is certain in the end. */
final class Attempts {
  private static final long LEAST_PAUSE_NANOS = 3_000_000;
  private static final long MOST_PAUSE_NANOS = 100_000_000;

  private final long deadline;
  private final Map<URI, String> said = new LinkedHashMap<>();
  private Certainty certainty = Certainty.NOT_EXECUTED;
  private long pause = LEAST_PAUSE_NANOS;
  private Throwable cause;
  private int count;

  Attempts(long deadline) {
    this.deadline = deadline;
  }

  int next() {
    return ++count;
  }

  int count() {
    return count;
  }

  /** An attempt ended without an answer. */
  void broke(URI target, Exception failure) {
    said.put(target, failure.toString());
    cause = failure;
    if (!(failure instanceof ConnectException)) {
      certainty = Certainty.UNKNOWN;
    }
  }

  /** An attempt was answered, but not with a result. */
  void refused(URI target, String what, Certainty answer) {
    said.put(target, what);
    // One attempt of unknown end keeps the whole unknown, whatever others say later.
    if (answer != Certainty.NOT_EXECUTED) {
      certainty = Certainty.UNKNOWN;
    }
  }

  InvocationFailedException failure(String sentence) {
    return new InvocationFailedException(sentence + " Tried: " + said + ".", certainty, cause);
  }

  /** Pauses a little longer each time, unless it is too late. */
  void pause(String what) {
    long now = System.nanoTime();
    if (now >= deadline) {
      throw failure(
          what + " got no result before its deadline, after " + count + " attempts; it "
              + (certainty == Certainty.NOT_EXECUTED ? "was not executed." : "may have been executed."));
    }
    long jittered = pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2);
    LockSupport.parkNanos(Math.min(jittered, deadline - now));
    pause = Math.min(2 * pause, MOST_PAUSE_NANOS);
  }
}
