package org.understudy.container.session;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.intake.ReceivedBody;
import org.understudy.container.intake.Shares;
import org.understudy.container.request.Answers;
import org.understudy.container.request.Caller;
import org.understudy.notification.soap.SoapVersion;

/**
 * AwaitView requests held open, without a thread each. When the view changes all get the same bytes: first each is
 * written and flushed, so that the last client waits for writes only, then each is completed.
 */
final class HeldPolls {
  private static final Logger LOG = LoggerFactory.getLogger(HeldPolls.class);

  private static final int MANY = 64;

  private final Set<Poll> polls = ConcurrentHashMap.newKeySet();
  private final Shares held;

  /** @param limit of all clients together; each may have a fourth held */
  HeldPolls(int limit) {
    this.held = new Shares("AwaitView requests that wait are %d", limit);
  }

  /**
   * @param seen the epoch that the client knows
   * @param overdue what is answered when nothing happens in time
   * @param own whether what {@code overdue} gives is the answer in any case, and not what others get too
   * @return null when it is held; else the sentence that says why it is not
   */
  String hold(HttpServletRequest request, HttpServletResponse response, SoapVersion version, long seen, int seconds,
      java.util.function.Supplier<byte[]> overdue, boolean own) {
    String owner = Caller.of(request).owner();
    String full = held.reserve(owner, 1);
    if (full != null) {
      return full;
    }
    // The body has been read; what waits need not hold it.
    ReceivedBody.drop(request);
    AsyncContext async = request.startAsync(request, response);
    async.setTimeout(seconds * 1_000L);
    Poll poll = new Poll(async, response, owner, version, seen, overdue, own);
    async.addListener(poll);
    polls.add(poll);
    return null;
  }

  int count() {
    return (int) held.total();
  }

  /** Answers every poll of this SOAP version whose client does not know the epoch yet. */
  void answerAll(SoapVersion version, long epoch, byte[] bytes) {
    List<Poll> answered = new ArrayList<>();
    long begin = System.nanoTime();
    for (Poll poll : polls) {
      if (poll.version == version && poll.seen < epoch && take(poll)) {
        answered.add(poll);
      }
    }
    // A few are told sooner than other threads wake up.
    (answered.size() < MANY ? answered.stream() : answered.parallelStream()).forEach(poll -> poll.write(poll.own ? poll.overdue.get() : bytes));
    long told = System.nanoTime() - begin;
    answered.forEach(poll -> Answers.complete(poll.async));
    if (!answered.isEmpty()) {
      LOG.info("Told {} waiting clients of view {} in {} µs.", answered.size(), epoch, told / 1_000);
    }
  }

  /** Whether it was still held: only one may answer it. */
  private boolean take(Poll poll) {
    boolean taken = polls.remove(poll);
    if (taken) {
      held.release(poll.owner, 1);
    }
    return taken;
  }

  private final class Poll implements AsyncListener {
    private final AsyncContext async;
    private final HttpServletResponse response;
    private final String owner;
    private final SoapVersion version;
    private final long seen;
    private final java.util.function.Supplier<byte[]> overdue;
    private final boolean own;

    Poll(AsyncContext async, HttpServletResponse response, String owner, SoapVersion version, long seen,
        java.util.function.Supplier<byte[]> overdue, boolean own) {
      this.own = own;
      this.async = async;
      this.response = response;
      this.owner = owner;
      this.version = version;
      this.seen = seen;
      this.overdue = overdue;
    }

    private void write(byte[] bytes) {
      try {
        Answers.send(response, 200, version, bytes);
      } catch (IOException | IllegalStateException e) {
        LOG.debug("A client that waited for a view is gone.", e);
      }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      if (take(this)) {
        write(overdue.get());
        Answers.complete(async);
      }
    }

    @Override
    public void onError(AsyncEvent event) {
      take(this);
    }

    @Override
    public void onComplete(AsyncEvent event) {
      take(this);
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }
}
