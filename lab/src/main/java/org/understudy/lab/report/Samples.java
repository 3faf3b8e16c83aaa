package org.understudy.lab.report;

import org.HdrHistogram.Histogram;

/** Durations, to three digits, up to a minute. Not thread-safe. */
public final class Samples {
  private static final long LONGEST_NANOS = 60_000_000_000L;

  private final Histogram histogram = new Histogram(LONGEST_NANOS, 3);

  public void add(long nanos) {
    histogram.recordValue(Math.max(0, Math.min(nanos, LONGEST_NANOS)));
  }

  /** Adds all of another one. */
  public void addAll(Samples other) {
    histogram.add(other.histogram);
  }

  public long count() {
    return histogram.getTotalCount();
  }

  public double medianMicros() {
    return histogram.getValueAtPercentile(50) / 1e3;
  }

  public double meanMicros() {
    return histogram.getMean() / 1e3;
  }

  public double deviationMicros() {
    return histogram.getStdDeviation() / 1e3;
  }

  public double p99Micros() {
    return histogram.getValueAtPercentile(99) / 1e3;
  }

  /** What 99.9 % of the durations do not exceed. */
  public double p999Micros() {
    return histogram.getValueAtPercentile(99.9) / 1e3;
  }

  public double maxMicros() {
    return histogram.getMaxValue() / 1e3;
  }
}
