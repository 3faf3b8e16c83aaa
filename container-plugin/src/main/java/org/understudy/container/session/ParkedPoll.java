package org.understudy.container.session;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import org.understudy.container.response.Answers;

/**
 * A poll that keeps its request and response. It serves connections that carry several requests (HTTP/2), belong to a proxy
 * (AJP) or encode their content, and requests that were dispatched again because their body arrived late. Tomcat does not report
 * the end of such a connection, so probes detect it.
 */
final class ParkedPoll extends LongPoll implements AsyncListener {
  private final AsyncContext async;
  /** The remaining probes. Used by the clock's thread only. */
  private int probes;

  /** @param probes the number of probes that the announced length includes */
  ParkedPoll(LongPolls polls, Terms terms, AsyncContext async, int probes) {
    this.probes = probes;
    this.polls = polls;
    this.terms = terms;
    this.async = async;
    async.setTimeout(0);
    async.addListener(this);
  }

  /** Sends a probe that detects a broken connection. Called by one thread. */
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
