package org.understudy.lab.group;

import org.understudy.lab.report.Samples;

/** What all clients of one point of a figure saw, over all rounds. Not thread-safe. */
final class Point {
  private final Samples samples = new Samples();
  private long calls;
  private long writes;
  private long executions;
  private long refused;
  private long nanos;

  void addNanos(long elapsed) {
    nanos += elapsed;
  }

  void add(Samples ofOne, long itsWrites, long itsExecutions, long itsRefused) {
    samples.addAll(ofOne);
    calls += ofOne.count();
    writes += itsWrites;
    executions += itsExecutions;
    refused += itsRefused;
  }

  /** Adds another run of the same point. */
  void addAll(Point other) {
    samples.addAll(other.samples);
    calls += other.calls;
    writes += other.writes;
    executions += other.executions;
    refused += other.refused;
    nanos += other.nanos;
  }

  /** Requests a second that had a response. */
  double throughput() {
    return (calls - refused) * 1e9 / nanos;
  }

  /** Percentage of requests for which no connection could be made. */
  double refusedPercent() {
    return calls == 0 ? 0 : 100.0 * refused / calls;
  }

  /** How often the service ran for each update. */
  double executionsPerUpdate() {
    return writes == 0 ? 0 : (double) executions / writes;
  }

  Samples samples() {
    return samples;
  }
}
