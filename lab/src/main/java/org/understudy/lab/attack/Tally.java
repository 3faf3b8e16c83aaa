package org.understudy.lab.attack;

import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** Counts the outcomes of the requests and connections of one attack. Thread-safe. */
final class Tally {
  private static final int FIRST_REFUSAL = 400;

  private final LongAdder sent = new LongAdder();
  private final LongAdder served = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder closed = new LongAdder();
  private final ConcurrentSkipListMap<String, LongAdder> answers = new ConcurrentSkipListMap<>();

  void sent() {
    sent.increment();
  }

  /** Counts an answer; a status below 400 is service. */
  void answered(Target.Answer answer) {
    (answer.status() < FIRST_REFUSAL ? served : refused).increment();
    answers.computeIfAbsent(answer.outcome(), key -> new LongAdder()).increment();
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

  /** The number of answers of each kind, for example {@code 200: 17; 500 Overloaded: 3}. It shows an attack refused for a wrong reason. */
  String answers() {
    return answers.entrySet().stream().map(entry -> entry.getKey() + ": " + entry.getValue()).collect(Collectors.joining("; "));
  }
}
