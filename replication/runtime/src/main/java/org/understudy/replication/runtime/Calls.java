package org.understudy.replication.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Reply;
import org.understudy.replication.core.Request;

/** The calls that wait for an answer, by token. Each gets exactly one. */
final class Calls {
  private static final Logger LOG = LoggerFactory.getLogger(Calls.class);

  private final ConcurrentHashMap<Long, Waiting> waiting = new ConcurrentHashMap<>();
  private final long deadlineNanos;

  Calls(Duration deadline) {
    this.deadlineNanos = deadline.toNanos();
  }

  private static final class Waiting {
    final Call call;
    volatile long since = System.nanoTime();
    volatile boolean executing;

    Waiting(Call call) {
      this.call = call;
    }
  }

  void add(long token, Call call) {
    waiting.put(token, new Waiting(call));
  }

  /** @return false when the call has been failed meanwhile and must not run any more */
  boolean execute(long token, Request.Kind kind) {
    Waiting one = waiting.get(token);
    if (one == null) {
      return false;
    }
    one.executing = true;
    try {
      one.call.execute(token, kind);
      return true;
    } catch (RuntimeException e) {
      waiting.remove(token);
      LOG.error("A call could not take its permission to execute; nothing is executed.", e);
      return false;
    }
  }

  void executed(long token) {
    Waiting one = waiting.get(token);
    if (one != null) {
      one.since = System.nanoTime();
      one.executing = false;
    }
  }

  void reply(long token, Reply reply) {
    Waiting one = waiting.remove(token);
    if (one != null) {
      guarded(() -> one.call.reply(reply));
    }
  }

  void fail(long token, Failure failure) {
    Waiting one = waiting.remove(token);
    if (one != null) {
      guarded(() -> one.call.fail(failure));
    }
  }

  /**
   * A service method may take its time; waiting for others may not.
   *
   * @param abandoned takes the token of each call that was answered so: nothing need wait for it any longer
   */
  void failOverdue(long now, LongConsumer abandoned) {
    for (Map.Entry<Long, Waiting> entry : waiting.entrySet()) {
      Waiting one = entry.getValue();
      if (!one.executing && now - one.since > deadlineNanos) {
        fail(
            entry.getKey(),
            new Failure(
                FailureCode.StillPending,
                "The update is not stable after " + deadlineNanos / 1_000_000
                    + " ms; ask again with the same request id."));
        abandoned.accept(entry.getKey());
      }
    }
  }

  void failAll(Failure failure) {
    waiting.keySet().forEach(token -> fail(token, failure));
  }

  private static void guarded(Runnable answer) {
    try {
      answer.run();
    } catch (RuntimeException e) {
      LOG.error("A call could not take its answer.", e);
    }
  }
}
