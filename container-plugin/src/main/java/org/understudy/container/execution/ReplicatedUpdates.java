package org.understudy.container.execution;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Reply;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.Response;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Executions;
import org.understudy.replication.runtime.Replica;
import org.understudy.thread.DaemonThreads;
import org.understudy.wsrf.resource.BlockingTransactions;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;

/**
 * Submits internal updates to the replica like a client's. One thread of their own executes them one after another; a
 * resource that an operation occupies for long makes its update come again later, and the others go on.
 */
public final class ReplicatedUpdates implements InternalUpdates, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedUpdates.class);
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long PAUSE_MS = 50;

  private final Replica replica;
  private final Executions executions;
  private final Resources resources;
  private final boolean objects;
  private final ScheduledThreadPoolExecutor thread;
  private final Semaphore places;

  /**
   * @param objects whether the states of the service's objects are captured, as for {@link ResourceTransaction#capture}
   * @param max updates on their way at a time; further ones fail as Overloaded
   */
  public ReplicatedUpdates(Replica replica, Resources resources, boolean objects, int max) {
    this(replica, KeyScope.NONE, resources, objects, max);
  }

  /**
   * Submits those of a service whose keys have a scope.
   *
   * @param objects as in the other constructor
   * @param max as in the other constructor
   */
  public ReplicatedUpdates(Replica replica, KeyScope scope, Resources resources, boolean objects, int max) {
    this.replica = replica;
    this.executions = scope.executions(replica);
    this.resources = resources;
    this.objects = objects;
    this.places = new Semaphore(max);
    this.thread =
        new ScheduledThreadPoolExecutor(1, new DaemonThreads("understudy-internal-updates-"));
    thread.setRemoveOnCancelPolicy(true);
  }

  @Override
  public void run(String key, Predicate<ResourceTransaction> update, Runnable done, Consumer<Failure> failed) {
    if (!places.tryAcquire()) {
      failed.accept(new Failure(FailureCode.Overloaded, "Too many internal updates are in progress. Retry later."));
      return;
    }
    new Update(key, update, done, failed).submitLater(0);
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      thread.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One of them. */
  private final class Update implements Call {
    private final String key;
    private final Predicate<ResourceTransaction> update;
    private final Runnable done;
    private final Consumer<Failure> failed;
    /** Abandoned by this replica, not by the group: it is retried or reported as done. Written before it is abandoned. */
    private volatile boolean busy;
    private volatile boolean idle;

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
        end(() -> failed.accept(new Failure(FailureCode.NotReady, "This replica is being stopped; nothing was changed.")));
      }
    }

    private void submit() {
      replica.submit(Request.internalUpdate(), this);
    }

    @Override
    public void execute(long token, Request.Kind kind) {
      try {
        thread.execute(() -> enter(token));
      } catch (RejectedExecutionException e) {
        LOG.debug("Closing: an internal update is not executed any more.", e);
        replica.abandoned(token);
      }
    }

    private void enter(long token) {
      try (Execution execution = new Execution(executions, token, objects)) {
        ResourceTransaction transaction;
        try {
          transaction = BlockingTransactions.tryBegin(resources, key, PATIENCE_NANOS);
        } catch (RuntimeException e) {
          LOG.error("The state of the resource {} could not be restored. An internal update of it was not executed.", key, e);
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
      try {
        if (update.test(transaction)) {
          execution.capture();
          execution.end(Response.EMPTY);
        } else {
          idle = true;
        }
      } catch (RuntimeException e) {
        LOG.error("An internal update failed. Its effects are undone.", e);
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
        submitLater(PAUSE_MS);
      } else {
        end(idle ? done : () -> failed.accept(failure));
      }
    }

    private void end(Runnable last) {
      places.release();
      last.run();
    }
  }
}
