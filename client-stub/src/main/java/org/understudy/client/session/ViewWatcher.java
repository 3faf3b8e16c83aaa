package org.understudy.client.session;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.client.connection.Access;
import org.understudy.client.connection.Attempt;
import org.understudy.client.envelope.Answer;
import org.understudy.client.envelope.AnswerReader;
import org.understudy.client.envelope.SessionRequest;
import org.understudy.client.invocation.ClientContext;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.ViewListener;

/**
 * Learns of a failover before any timeout: keeps an AwaitView request open at the replica that {@link ViewPolls} selects.
 * One thread for a whole group of ports.
 */
public final class ViewWatcher implements Runnable, ViewListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ViewWatcher.class);
  /** The tolerance beyond the time for which a replica may hold the answer. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final ClientContext carrier;
  private final Duration hold;
  private final Supplier<Access> access;
  private final CountDownLatch closed = new CountDownLatch(1);
  private Attempt current;
  private long askedSince;

  /**
   * @param hold how long a replica may hold the answer; whole seconds
   * @param access of any principal, read before every poll
   */
  public ViewWatcher(ClientContext carrier, Duration hold, Supplier<Access> access) {
    this.carrier = carrier;
    this.hold = hold;
    this.access = access;
  }

  @Override
  public void run() {
    ViewPolls polls = new ViewPolls(carrier.views());
    while (closed.getCount() > 0) {
      ViewPolls.Poll poll = polls.next(System.nanoTime());
      boolean helpful = ask(poll.replica(), poll.view());
      rest(polls.ended(System.nanoTime(), helpful));
    }
  }

  private void rest(long nanos) {
    try {
      if (nanos > 0) {
        closed.await(nanos, TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      close();
    }
  }

  /** False when the replica did not answer correctly. */
  private boolean ask(URI target, GroupView view) {
    SessionRequest request = SessionRequest.awaitView(view.epoch(), hold.toSeconds());
    Attempt attempt = new SessionRequestTemplate(request, access.get()).attempt(target, 1, false);
    if (!begin(attempt, view)) {
      return true;
    }
    try {
      Answer answer = attempt.connections().send(attempt, hold.plus(GRACE));
      if (answer.refusal() != null) {
        carrier.views().learn(answer.refusal().view());
        return false;
      }
      if (!answer.isSoap() || answer.status() != 200) {
        return false;
      }
      carrier.views().learn(AnswerReader.readSession(answer).view());
      return true;
    } catch (IOException e) {
      LOG.trace("AwaitView at {} failed", target, e);
      return attempt.isAborted();
    } finally {
      synchronized (this) {
        current = null;
      }
    }
  }

  private synchronized boolean begin(Attempt attempt, GroupView view) {
    if (closed.getCount() == 0 || carrier.views().current() != view) {
      return false;
    }
    current = attempt;
    askedSince = view.epoch();
    return true;
  }

  /** A newer view came another way: the poll is now at the wrong replica or has an old epoch. */
  @Override
  public synchronized void viewChanged(GroupView view) {
    if (current != null && askedSince < view.epoch()) {
      current.abort();
    }
  }

  /** Ends the poll; {@link #run} returns soon. */
  @Override
  public void close() {
    synchronized (this) {
      closed.countDown();
      if (current != null) {
        current.abort();
      }
    }
  }
}
