package org.understudy.wsat.coordinator;

import com.arjuna.webservices11.wsarj.ArjunaContext;
import com.arjuna.webservices11.wsat.processors.CompletionCoordinatorProcessor;
import com.arjuna.wst11.CompletionCoordinatorParticipant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jboss.ws.api.addressing.MAP;
import org.oasis_open.docs.ws_tx.wsat._2006._06.Notification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;

/**
 * Completes transactions for clients that name them by their unguessable ids. A commit waits for the votes, so it has a thread of its own:
 * Narayana's read the votes. Thread-safe.
 */
final class GuardedCompletion extends CompletionCoordinatorProcessor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedCompletion.class);
  private static final int THREADS = 10;

  private final CompletionCoordinatorProcessor narayana;
  private final Activities activities;
  private final int maxWaiting;
  private final ThreadPoolExecutor threads;

  /** @param maxWaiting how many commits and rollbacks wait while others are under way */
  GuardedCompletion(CompletionCoordinatorProcessor narayana, Activities activities, int maxWaiting) {
    this.narayana = narayana;
    this.activities = activities;
    this.maxWaiting = maxWaiting;
    this.threads =
        new ThreadPoolExecutor(
            THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(maxWaiting), new DaemonThreads("understudy-wsat-completion-"));
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public void commit(Notification commit, MAP map, ArjunaContext context) {
    activities.ids().verify(context);
    submit(() -> narayana.commit(commit, map, context));
  }

  @Override
  public void rollback(Notification rollback, MAP map, ArjunaContext context) {
    activities.ids().verify(context);
    submit(() -> narayana.rollback(rollback, map, context));
  }

  private void submit(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.warn(
          "A client's message that completes a transaction is dropped, and the transaction aborts when it expires: {} wait "
              + "(understudy.wsat.tasks), or the server ends.", maxWaiting, e);
    }
  }

  @Override
  public void activateParticipant(CompletionCoordinatorParticipant participant, String identifier) {
    narayana.activateParticipant(participant, identifier);
    activities.completes(identifier, () -> narayana.deactivateParticipant(participant));
  }

  @Override
  public void deactivateParticipant(CompletionCoordinatorParticipant participant) {
    narayana.deactivateParticipant(participant);
  }

  @Override
  public void close() {
    threads.shutdownNow();
    Threads.join("The threads that complete transactions", threads);
  }
}
