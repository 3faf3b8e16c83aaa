package org.understudy.container.session;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import org.understudy.container.request.Answers;

/**
 * A poll that keeps its request and response: where the connection carries others beside it (HTTP/2), belongs to a proxy
 * (AJP), encodes its content, or has been dispatched because the body came late. Tomcat does not watch such a connection;
 * probes do.
 */
final class ParkedPoll extends LongPoll implements AsyncListener {
  private final AsyncContext async;
  /** For the clock's thread. */
  private int probes;

  /** @param probes for which the length announced has places */
  ParkedPoll(LongPolls polls, Terms terms, AsyncContext async, int probes) {
    this.probes = probes;
    this.polls = polls;
    this.terms = terms;
    this.async = async;
    async.setTimeout(0);
    async.addListener(this);
  }

  /** Finds out whether the connection has broken. By one thread. */
  void probe() {
    if (probes > 0) {
      probes--;
      writeSpace();
    }
  }

  @Override
  void finish() {
    Answers.complete(async);
    release();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    release();
  }

  @Override
  public void onError(AsyncEvent event) {
    release();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    release();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
