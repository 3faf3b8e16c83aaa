package org.understudy.lab.group;

import org.understudy.lab.report.Samples;

/** What all clients of one point of a figure saw, over all rounds. Not thread-safe. */
final class Point {
  private final Samples samples = new Samples();
  private long writes;
  private long executions;
  private long refused;
  private long failed;
  private long nanos;

  void addNanos(long elapsed) {
    nanos += elapsed;
  }

  /**
   * Adds what one client saw.
   *
   * @param answered the round trips of requests that had a response
   * @param itsRefused requests for which no connection could be made
   * @param itsFailed requests that had no response, or not the expected one; whether they were executed is unknown
   */
  void add(Samples answered, long itsWrites, long itsExecutions, long itsRefused, long itsFailed) {
    samples.addAll(answered);
    writes += itsWrites;
    executions += itsExecutions;
    refused += itsRefused;
    failed += itsFailed;
  }

  /** Adds another run of the same point. */
  void addAll(Point other) {
    add(other.samples, other.writes, other.executions, other.refused, other.failed);
    nanos += other.nanos;
  }

  /** Whether any time was measured. */
  boolean isMeasured() {
    return nanos > 0;
  }

  long calls() {
    return answered() + refused + failed;
  }

  /** Requests that had a response. */
  long answered() {
    return samples.count();
  }

  /** Requests that may have been executed, and had no response. */
  long failed() {
    return failed;
  }

  /** Requests a second that had a response. */
  double throughput() {
    return answered() * 1e9 / nanos;
  }

  /** Percentage of requests for which no connection could be made. */
  double refusedPercent() {
    return percent(refused);
  }

  /** Percentage of requests that had no response, or not the expected one. */
  double failedPercent() {
    return percent(failed);
  }

  private double percent(long some) {
    return calls() == 0 ? 0 : 100.0 * some / calls();
  }

  /** How often the service ran for each update. */
  double executionsPerUpdate() {
    return writes == 0 ? 0 : (double) executions / writes;
  }

  Samples samples() {
    return samples;
  }
}
