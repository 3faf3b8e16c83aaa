package org.understudy.container.session;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.caller.Caller;
import org.understudy.container.intake.ReceivedBody;
import org.understudy.container.response.Answers;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;

/**
 * Holds AwaitView requests open, without a thread for each. On a plain HTTP/1.1 connection it also frees Tomcat's request
 * object, see {@link ConnectionPoll}. When the view changes, all receive the same bytes, written without blocking.
 * Thread-safe.
 */
final class LongPolls implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LongPolls.class);

  private static final int PARALLEL_FROM = 64;
  /** The number of places for a poll that keeps Tomcat's request or a TLS connection: either holds 70 to 110 KB. */
  private static final int HEAVY_PLACES = 10;
  /** Detecting a closed client takes two writes: the first triggers a reset, the next one fails. */
  private static final int PROBE_SECONDS = 5;

  private final Set<LongPoll> polls = ConcurrentHashMap.newKeySet();
  /** The subset of {@link #polls} whose connections are probed. */
  private final Set<ParkedPoll> parked = ConcurrentHashMap.newKeySet();
  private final LocalShares places;
  private final int heavyPlaces;
  private final ScheduledThreadPoolExecutor clock;
  /** The epoch of the last view that all polls were answered with. */
  private volatile long latest;

  /** @param places of all clients together */
  LongPolls(LocalShares places) {
    this.places = places;
    // A client whose share is less than ten places can hold one such poll.
    this.heavyPlaces = (int) Math.min(HEAVY_PLACES, places.share());
    this.clock = new ScheduledThreadPoolExecutor(1, new DaemonThreads("understudy-polls-"));
    clock.setRemoveOnCancelPolicy(true);
    clock.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    clock.scheduleAtFixedRate(
        new RepeatedTask("The probe of waiting polls' connections", () -> parked.forEach(ParkedPoll::probe)),
        PROBE_SECONDS, PROBE_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Holds a request. Does not block.
   *
   * @param seen the epoch that the client knows
   * @param overdue creates the response when no newer view begins in time
   * @param own whether {@code overdue} creates the response in every case, instead of the bytes shared with other polls
   * @param length the maximum number of bytes of a response
   * @return null when it is held; otherwise the reason for the refusal, as a sentence
   */
  String hold(HttpServletRequest request, HttpServletResponse response, SoapVersion version, long seen, int seconds,
      Supplier<byte[]> overdue, boolean own, int length) throws IOException {
    String owner = Caller.of(request).owner();
    boolean light = canHandOver(request);
    int weight = light && !request.isSecure() ? 1 : heavyPlaces;
    String full = places.reserve(owner, weight);
    if (full != null) {
      return full;
    }
    // The body has been read: the waiting request need not keep it in memory.
    ReceivedBody.drop(request);
    int probes = light ? 0 : seconds / PROBE_SECONDS + 1;
    LongPoll.Terms terms = new LongPoll.Terms(owner, weight, version, seen, seconds, overdue, own, length + probes);
    boolean begun = false;
    try {
      boolean encoded = sendHead(response, terms, light);
      if (light && !encoded) {
        request.upgrade(ConnectionPoll.class).accept(this, terms);
      } else {
        ParkedPoll poll = new ParkedPoll(this, terms, request.startAsync(request, response), probes);
        parked.add(poll);
        poll.begin(response.getOutputStream());
      }
      begun = true;
    } catch (ServletException e) {
      throw new IOException("The connection of an AwaitView request cannot be taken over.", e);
    } finally {
      if (!begun) {
        places.release(owner, weight);
      }
    }
    return null;
  }

  /** Whether the connection carries only this request, and the request has not been dispatched again. */
  private static boolean canHandOver(HttpServletRequest request) {
    return request.getDispatcherType() == DispatcherType.REQUEST
        && "http/1.1".equals(request.getServletConnection().getProtocol());
  }

  /**
   * Sends status and headers of the later response.
   *
   * @return true when the connector encodes the content, so that only its own stream can write it
   */
  private static boolean sendHead(HttpServletResponse response, LongPoll.Terms terms, boolean last) throws IOException {
    response.setStatus(HttpServletResponse.SC_OK);
    Answers.markResult(response);
    response.setContentType(terms.version().contentType());
    response.setContentLength(terms.length());
    if (last) {
      response.setHeader("Connection", "close");
    }
    response.flushBuffer();
    return response.getHeader("Content-Encoding") != null;
  }

  /** Returns the number of places in use in the web application: one for a light poll, more for one that holds more memory. */
  int count() {
    return (int) places.total();
  }

  /** Adds a poll, which is answered with the next newer view or at its deadline. */
  void add(LongPoll poll) {
    polls.add(poll);
    if (latest > poll.terms.seen()) {
      // The view changed after the check and before the poll was added.
      answer(poll);
    } else {
      poll.deadline(clock.schedule(() -> answer(poll), poll.terms.seconds(), TimeUnit.SECONDS));
    }
  }

  private void answer(LongPoll poll) {
    if (take(poll)) {
      poll.answer(poll.terms.overdue().get());
    }
  }

  /** Removes a poll. Returns true for the first caller only, which may answer or end it. */
  boolean take(LongPoll poll) {
    poll.deadline(null);
    if (poll instanceof ParkedPoll) {
      parked.remove(poll);
    }
    return polls.remove(poll);
  }

  /** Releases the places of a poll whose connection has ended or may serve another request. */
  void released(LongPoll.Terms terms) {
    places.release(terms.owner(), terms.weight());
  }

  /** Holds polls again, after all were answered. */
  void resume(long epoch) {
    latest = epoch;
  }

  /** Answers every poll of this SOAP version whose client knows only older epochs. */
  void answerAll(SoapVersion version, long epoch, byte[] bytes) {
    latest = epoch;
    List<LongPoll> answered = new ArrayList<>();
    long begin = System.nanoTime();
    for (LongPoll poll : polls) {
      if (poll.terms.version() == version && poll.terms.seen() < epoch && take(poll)) {
        answered.add(poll);
      }
    }
    // A few polls are written faster by this thread than other threads wake up.
    (answered.size() < PARALLEL_FROM ? answered.stream() : answered.parallelStream())
        .forEach(poll -> poll.answer(poll.terms.own() ? poll.terms.overdue().get() : bytes));
    long written = System.nanoTime() - begin;
    if (!answered.isEmpty()) {
      LOG.info("Sent view {} to {} waiting clients in {} µs.", epoch, answered.size(), written / 1_000);
    }
  }

  /** Stops the clock. All polls must have been answered before. */
  @Override
  public void close() {
    clock.shutdown();
    Threads.join("The clock of held polls", clock);
  }
}
