package org.understudy.container.execution;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Executions;
import org.understudy.replication.runtime.Replica;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;
import org.understudy.wsrf.resource.BlockingTransactions;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;

/**
 * Submits internal updates to the replica like a client's updates. One dedicated thread executes them one after another. An
 * update whose resource stays locked is retried later; it does not delay the others.
 */
public final class ReplicatedUpdates implements InternalUpdates, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedUpdates.class);
  private static final long LOCK_TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long RETRY_MS = 50;

  private final Replica replica;
  private final Request request;
  private final Executions executions;
  private final Resources resources;
  private final boolean objects;
  private final ScheduledThreadPoolExecutor thread;
  private final Semaphore permits;
  /** Updates that are neither done nor failed. */
  private final Set<Update> open = ConcurrentHashMap.newKeySet();

  /**
   * @param objects whether the states of the service's objects are captured, as for {@link ResourceTransaction#capture}
   * @param max updates in progress at a time; further ones fail as Overloaded
   */
  public ReplicatedUpdates(Replica replica, Resources resources, boolean objects, int max) {
    this(replica, KeyScope.NONE, resources, objects, max, Request.internalUpdate());
  }

  /**
   * Submits updates of resources whose keys have a scope.
   *
   * @param objects as in the other constructor
   * @param max as in the other constructor
   * @param request an internal update, or a service's own, to which the limits of the group apply
   */
  public ReplicatedUpdates(
      Replica replica, KeyScope scope, Resources resources, boolean objects, int max, Request request) {
    this.replica = replica;
    this.request = request;
    this.executions = scope.executions(replica);
    this.resources = resources;
    this.objects = objects;
    this.permits = new Semaphore(max);
    this.thread =
        new ScheduledThreadPoolExecutor(1, new DaemonThreads("understudy-internal-updates-"));
    thread.setRemoveOnCancelPolicy(true);
  }

  @Override
  public void run(String key, Predicate<ResourceTransaction> update, Runnable done, Consumer<Failure> failed) {
    if (!permits.tryAcquire()) {
      failed.accept(new Failure(FailureCode.Overloaded, "Too many internal updates are in progress. Retry later."));
      return;
    }
    Update added = new Update(key, update, done, failed);
    open.add(added);
    added.submitLater(0);
  }

  /** Fails the updates that are neither done nor failed. */
  @Override
  public void close() {
    thread.shutdownNow();
    Threads.join("The thread of internal updates", thread);
    open.forEach(Update::close);
  }

  /** One internal update, from its submission to its end. */
  private final class Update implements Call {
    private final String key;
    private final Predicate<ResourceTransaction> update;
    private final Runnable done;
    private final Consumer<Failure> failed;
    // Set before the execution is abandoned, to distinguish this from an abandonment by the group.
    /** The resource is locked: the update is retried. */
    private volatile boolean busy;
    /** The update changed nothing: it is reported as done. */
    private volatile boolean unchanged;
    /** The update is being executed, or has been proposed. */
    private volatile boolean begun;

    Update(String key, Predicate<ResourceTransaction> update, Runnable done, Consumer<Failure> failed) {
      this.key = key;
      this.update = update;
      this.done = done;
      this.failed = failed;
    }

    void submitLater(long pauseMs) {
      try {
        thread.schedule(this::submit, pauseMs, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        close();
      }
    }

    void close() {
      Failure failure =
          begun
              ? new Failure(FailureCode.OutcomeUnknown, "This replica is being stopped; the update may have been executed.")
              : new Failure(FailureCode.NotReady, "This replica is being stopped; nothing was changed.");
      end(() -> failed.accept(failure));
    }

    private void submit() {
      replica.submit(request, this);
    }

    @Override
    public void execute(long token, Request.Kind kind) {
      try {
        thread.execute(() -> enter(token));
      } catch (RejectedExecutionException e) {
        LOG.debug("The replica is closing: an internal update is dropped.", e);
        replica.abandoned(token);
      }
    }

    private void enter(long token) {
      try (Execution execution = new Execution(executions, token, objects)) {
        ResourceTransaction transaction;
        try {
          transaction = BlockingTransactions.tryBegin(resources, key, LOCK_TIMEOUT_NANOS);
        } catch (RuntimeException e) {
          LOG.error("The state of the resource {} could not be restored. An internal update of it was not executed.", key, e);
          execution.end(
              new Failure(
                  FailureCode.ExecutionFailed,
                  "The state of the resource " + key + " could not be restored. Nothing was changed, and a retry would fail as well. "
                      + "See the server's log for the reason."));
          return;
        }
        if (transaction == null) {
          busy = true;
          return;
        }
        execution.entered(transaction);
        execute(execution, transaction);
      }
    }

    private void execute(Execution execution, ResourceTransaction transaction) {
      boolean proposed = false;
      begun = true;
      try {
        if (update.test(transaction)) {
          Outcome outcome = capture(execution);
          proposed = true;
          execution.end(outcome);
        } else {
          unchanged = !repeats(execution);
        }
      } catch (RuntimeException e) {
        if (!repeats(execution)) {
          LOG.error("An internal update failed. Its effects are undone.", e);
        }
      } finally {
        begun = proposed;
      }
    }

    /** Whether the database has ended the update's transaction, for example by a deadlock. The group then executes the update again. */
    private boolean repeats(Execution execution) {
      Branch branch = execution.branch();
      boolean aborted = !execution.hasEnded() && branch != null && branch.isAborted();
      if (aborted) {
        execution.end(Response.EMPTY);
      }
      return aborted;
    }

    /** A state that cannot be captured now could not be captured by a retry either. */
    private Outcome capture(Execution execution) {
      try {
        execution.capture();
        return Response.EMPTY;
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
        LOG.error("The state after an internal update of the resource {} could not be captured. Its effects are undone.", key, e);
        return new Failure(
            FailureCode.ExecutionFailed,
            "The state after the update could not be captured. Its effects are undone, and a retry would fail as well. "
                + "See the server's log for the reason.");
      }
    }

    @Override
    public void reply(Reply reply) {
      end(done);
    }

    @Override
    public void fail(Failure failure) {
      if (busy) {
        busy = false;
        submitLater(RETRY_MS);
      } else {
        end(unchanged ? done : () -> failed.accept(failure));
      }
    }

    /** Runs the callback once: the replica may still report an outcome after {@link #close}. */
    private void end(Runnable callback) {
      if (open.remove(this)) {
        permits.release();
        callback.run();
      }
    }
  }
}
