package org.understudy.lab.group.refusal;

import java.util.Map;
import java.util.TreeMap;
import org.understudy.lab.report.Samples;

/** What all clients of one point saw. Not thread-safe. */
public final class RefusalPoint {
  private final Samples answered = new Samples();
  private final Map<String, Long> failures = new TreeMap<>();
  private final long millis;
  private long refused;
  private long failed;
  private long inTime;

  /** @param millis for which clients begin requests */
  RefusalPoint(long millis) {
    this.millis = millis;
  }

  /** @param timely whether the response came before the last request could begin */
  void answered(long nanos, boolean timely) {
    answered.add(nanos);
    inTime += timely ? 1 : 0;
  }

  void refused() {
    refused++;
  }

  void failed(String reason) {
    failed++;
    failures.merge(reason, 1L, Long::sum);
  }

  public long requests() {
    return answered.count() + refused + failed;
  }

  /** Percentage of requests for which no connection was made within a second. */
  public double refusedPercent() {
    return percent(refused);
  }

  /** Percentage of requests that had a connection, and no response or a fault. */
  public double failedPercent() {
    return percent(failed);
  }

  private double percent(long some) {
    return requests() == 0 ? 0 : 100.0 * some / requests();
  }

  /** Responses a second, while clients began requests. */
  public double throughput() {
    return inTime * 1e3 / millis;
  }

  /** From the begin of the connection to the end of the response. */
  public Samples answered() {
    return answered;
  }

  /** How often requests failed, by reason. */
  public Map<String, Long> failures() {
    return failures;
  }
}
