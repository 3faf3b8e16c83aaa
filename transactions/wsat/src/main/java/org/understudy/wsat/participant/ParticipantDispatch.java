package org.understudy.wsat.participant;

import com.arjuna.webservices.SoapFault;
import com.arjuna.webservices11.wsarj.ArjunaContext;
import com.arjuna.webservices11.wsat.ParticipantInboundEvents;
import com.arjuna.webservices11.wsat.processors.ParticipantProcessor;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.jboss.ws.api.addressing.MAP;
import org.oasis_open.docs.ws_tx.wsat._2006._06.Notification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;

/**
 * Receives the messages for participants: those for this group on threads of its own, because they wait for rounds to the backups, those
 * for participants of Narayana's users in Narayana. Narayana acknowledges a decision for a participant that it does not know; it does not
 * get one that a vote in an unreadable record could belong to. A message that finds no place is dropped, and its coordinator sends it
 * again.
 * Thread-safe.
 */
public final class ParticipantDispatch extends ParticipantProcessor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ParticipantDispatch.class);
  private static final int THREADS = 8;
  private static final int MAX_WAITING = 1_024;
  /** Until a participant that is unknown when Prepare arrives must be known: a backup learns of it just before the primary answers. */
  private static final long LEARNT_MS = 1_000;
  private static final long FORWARD_MS = 1_000;

  private final ParticipantProcessor others;
  private final BooleanSupplier unreadableVote;
  private final RefusalLog log = new RefusalLog();
  private final GroupParticipants participants;
  private final long periodMillis;
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor workers =
      new ThreadPoolExecutor(
          THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), new DaemonThreads("understudy-wsat-participant-"));
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(2, new DaemonThreads("understudy-wsat-repetition-"));

  /**
   * @param others Narayana's
   * @param unreadableVote whether a record of such a participant cannot be used
   * @param self the number of this replica
   * @param endpoints the address of each replica's ParticipantService
   * @param timeout for which a coordinator waits for a vote
   * @param period between repetitions of votes
   */
  public ParticipantDispatch(
      ParticipantProcessor others, BooleanSupplier unreadableVote, int self, IntFunction<String> endpoints, Duration timeout,
      Duration period) {
    this.others = others;
    this.unreadableVote = unreadableVote;
    this.participants =
        new GroupParticipants(
            GroupPart.INSTANCE, self, new NarayanaMessages(endpoints), 2 * timeout.toNanos(), TimeUnit.MILLISECONDS.toNanos(FORWARD_MS),
            Failpoint.Listener.NONE);
    this.periodMillis = period.toMillis();
    workers.allowCoreThreadTimeOut(true);
  }

  /** Takes Narayana's place. */
  public void start() {
    setProcessor(this);
    timer.scheduleWithFixedDelay(
        new RepeatedTask("Repetition of votes", participants::repeatVotes), periodMillis, periodMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void prepare(Notification prepare, MAP map, ArjunaContext context) {
    String id = id(context);
    if (!GroupParticipants.isOurs(id)) {
      others.prepare(prepare, map, context);
      return;
    }
    Runnable unknown = () -> others.prepare(prepare, map, context);
    submit("prepare " + id, () -> {
      if (!participants.prepare(id)) {
        later("prepare " + id, () -> {
          if (!participants.prepare(id)) {
            answer(map, unknown);
          }
        });
      }
    });
  }

  @Override
  public void commit(Notification commit, MAP map, ArjunaContext context) {
    decide(context, true, map, () -> others.commit(commit, map, context));
  }

  @Override
  public void rollback(Notification rollback, MAP map, ArjunaContext context) {
    decide(context, false, map, () -> others.rollback(rollback, map, context));
  }

  private void decide(ArjunaContext context, boolean commit, MAP map, Runnable narayana) {
    String id = id(context);
    if (!GroupParticipants.isOurs(id)) {
      decideOther(id, narayana);
      return;
    }
    submit((commit ? "commit " : "rollback ") + id, () -> {
      if (!participants.decide(id, commit)) {
        answer(map, narayana);
      }
    });
  }

  private void decideOther(String id, Runnable narayana) {
    if (others.isActive(id) || !unreadableVote.getAsBoolean()) {
      narayana.run();
    } else if (log.isDue(id, System.nanoTime())) {
      LOG.warn(
          "The decision for the participant {} is not acknowledged: it is unknown here, and a record of a vote cannot be used.",
          RefusalLog.printable(id));
    }
  }

  /** Narayana answers for a participant that it does not know. A message that another replica passed on names no address for it. */
  private static void answer(MAP map, Runnable narayana) {
    if (map.getFrom() != null) {
      narayana.run();
    }
  }

  @Override
  public void soapFault(SoapFault fault, MAP map, ArjunaContext context) {
    String id = id(context);
    if (GroupParticipants.isOurs(id)) {
      participants.fault(id, String.valueOf(fault.getSubcode()));
    } else {
      others.soapFault(fault, map, context);
    }
  }

  private static String id(ArjunaContext context) {
    return context == null || context.getInstanceIdentifier() == null ? null : context.getInstanceIdentifier().getInstanceIdentifier();
  }

  /** A repeated message is dropped while the first one is processed. */
  private void submit(String name, Step step) {
    if (!underWay.add(name)) {
      return;
    }
    try {
      workers.execute(() -> {
        try {
          step.run();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
          LOG.warn("The message {} of a coordinator could not be processed. The coordinator sends it again.", name, e);
        } finally {
          underWay.remove(name);
        }
      });
    } catch (RejectedExecutionException e) {
      underWay.remove(name);
      LOG.debug("The message {} of a coordinator is dropped: {} messages wait, or the server ends.", name, MAX_WAITING, e);
    }
  }

  private void later(String name, Step step) {
    if (timer.getQueue().size() < MAX_WAITING) {
      try {
        timer.schedule(() -> submit(name, step), LEARNT_MS, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        LOG.debug("The server ends.", e);
      }
    }
  }

  @Override
  public void activateParticipant(ParticipantInboundEvents participant, String identifier) {
    others.activateParticipant(participant, identifier);
  }

  @Override
  public void deactivateParticipant(ParticipantInboundEvents participant) {
    others.deactivateParticipant(participant);
  }

  @Override
  public boolean isActive(String identifier) {
    return others.isActive(identifier);
  }

  /** Ends its threads, and lets Narayana receive the messages again. Idempotent. */
  @Override
  public void close() {
    if (getProcessor() == this) {
      setProcessor(others);
    }
    timer.shutdownNow();
    workers.shutdownNow();
    Threads.join("The timer of participants", timer);
    Threads.join("The threads of participants", workers);
  }

  /** Processes a message. */
  private interface Step {
    void run() throws InterruptedException;
  }
}
