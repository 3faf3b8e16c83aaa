package org.understudy.lab.attack;

import java.util.concurrent.atomic.LongAdder;

/** Counts the outcomes of the requests and connections of one attack. Thread-safe. */
final class Tally {
  private final LongAdder sent = new LongAdder();
  private final LongAdder served = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder closed = new LongAdder();

  void sent() {
    sent.increment();
  }

  /** Counts an HTTP answer; a status below 300 is service. */
  void answered(int status) {
    (status < 300 ? served : refused).increment();
  }

  /** Counts a connection that the server closed or did not accept. */
  void closed() {
    closed.increment();
  }

  long attempts() {
    return sent.sum();
  }

  long successes() {
    return served.sum();
  }

  long refusals() {
    return refused.sum();
  }

  long closures() {
    return closed.sum();
  }

  /** Requests and connections that were still without an answer at the end. */
  long held() {
    return Math.max(0, attempts() - successes() - refusals() - closures());
  }
}
