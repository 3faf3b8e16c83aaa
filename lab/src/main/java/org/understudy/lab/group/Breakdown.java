package org.understudy.lab.group;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.lab.report.Samples;

/** Round trips of one kind, and the parts that the replica reports in {@code Server-Timing}. Not thread-safe. */
final class Breakdown {
  private static final Pattern PARTS =
      Pattern.compile("stable;dur=([0-9.E-]+), consistency;dur=([0-9.E-]+), service;dur=([0-9.E-]+), balancing;dur=([0-9.E-]+).*");

  private final Samples client = new Samples();
  private final Samples balancing = new Samples();
  private final Samples consistency = new Samples();
  private final Samples service = new Samples();
  private final Samples update = new Samples();

  /** @throws IllegalStateException when the replica reports no timing */
  void add(long nanos, String timing) {
    Matcher parts = PARTS.matcher(timing);
    if (!parts.matches()) {
      throw new IllegalStateException("Not a Server-Timing header of a replica with understudy.timing.header: " + timing);
    }
    client.add(nanos);
    update.add(nanos(parts.group(1)));
    consistency.add(nanos(parts.group(2)));
    service.add(nanos(parts.group(3)));
    balancing.add(nanos(parts.group(4)));
  }

  void addAll(Breakdown other) {
    client.addAll(other.client);
    balancing.addAll(other.balancing);
    consistency.addAll(other.consistency);
    service.addAll(other.service);
    update.addAll(other.update);
  }

  private static long nanos(String millis) {
    return Math.round(Double.parseDouble(millis) * 1e6);
  }

  /** What the client saw. */
  Samples client() {
    return client;
  }

  /** The decision which replica serves the request. */
  Samples balancing() {
    return balancing;
  }

  /** Until the service ran: identity, version handle, read index. */
  Samples consistency() {
    return consistency;
  }

  /** The service method with CXF. */
  Samples service() {
    return service;
  }

  /** From the end of the method until the update was stable; of a read, until it was reported. */
  Samples update() {
    return update;
  }
}
