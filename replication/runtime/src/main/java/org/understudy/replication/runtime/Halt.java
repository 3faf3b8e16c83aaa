package org.understudy.replication.runtime;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.peer.Channels;

/**
 * Stops a replica for good, before its process ends. In this order: the core stops, undecided executions are rolled back,
 * the log states the reason, every call gets an answer; the channels are closed at the next tick, or by {@link #close}.
 * Thread-safe.
 */
final class Halt {
  static final String STEP_FAILED = "a step of its protocol failed";

  private static final Logger LOG = LoggerFactory.getLogger(Halt.class);

  private final String self;
  private final Channels channels;
  private final PendingCalls calls;
  private final Supplier<List<Proposal>> stopCore;
  private final AtomicBoolean channelsClosed = new AtomicBoolean();
  private volatile String why;

  /**
   * @param self the replica's name, for the log
   * @param stopCore stops the core, and returns the executions without a decision
   */
  Halt(String self, Channels channels, PendingCalls calls, Supplier<List<Proposal>> stopCore) {
    this.self = self;
    this.channels = channels;
    this.calls = calls;
    this.stopCore = stopCore;
  }

  /** Why the replica has halted, as the end of a sentence; null while it runs. */
  String why() {
    return why;
  }

  /**
   * Halts the replica. Memory may be short, so a failure of one part must not stop the others.
   *
   * @param reason as the end of a sentence
   */
  void because(String reason, Throwable cause) {
    why = reason;
    try {
      stop();
      LOG.error(
          "Replica {} halts, because {}. The other replicas continue without it. Fix the cause and restart this process.",
          self, reason, cause);
    } finally {
      failCalls("has halted, because " + reason);
    }
  }

  /** Called when the replica is closed on purpose; its channels and its host are closed already. */
  void close() {
    stop();
    why = "it was closed";
    failCalls("is being stopped");
  }

  /**
   * Closes the channels once: peers whose connections are refused need not wait for their suspicion time. After a failure the next call
   * closes them.
   */
  void closeChannels() {
    if (channelsClosed.compareAndSet(false, true)) {
      try {
        channels.close();
      } catch (RuntimeException | Error e) {
        channelsClosed.set(false);
        throw e;
      }
    }
  }

  private void stop() {
    for (Proposal proposal : stopCore.get()) {
      try {
        proposal.rollback();
      } catch (RuntimeException | Error e) {
        LOG.error("An execution could not be rolled back after the replica had halted.", e);
      }
    }
  }

  private void failCalls(String what) {
    calls.failAll(
        new Failure(
            FailureCode.OutcomeUnknown,
            "Replica " + self + " " + what + ". Send the request to another replica with the same id."));
  }
}
