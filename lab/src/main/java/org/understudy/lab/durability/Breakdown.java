package org.understudy.lab.durability;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.handler.MessageContext;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.lab.report.Samples;

/** Where the round trips of one set-up spend their time, from the clients' clocks and {@code Server-Timing}. Not thread-safe. */
final class Breakdown {
  /** The parts, which together are the round trip. The means add up. */
  enum Part {
    CLIENT("client and HTTP"),
    LOCK("wait for the objects"),
    /** With the statements of an object in a database, and the capture of the update. */
    SERVICE("service with statements"),
    COMMIT("commit"),
    ROUND("rounds to backups");

    private final String label;

    Part(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  private static final Pattern TIMING =
      Pattern.compile("stable;dur=([0-9.E-]+), consistency;dur=[0-9.E-]+, service;dur=([0-9.E-]+),.* lock;dur=([0-9.E-]+), "
          + "commit;dur=([0-9.E-]+)");

  private final Map<Part, Samples> parts = new EnumMap<>(Part.class);

  Breakdown() {
    for (Part part : Part.values()) {
      parts.put(part, new Samples());
    }
  }

  /**
   * Adds one round trip.
   *
   * @param timing the header
   * @throws IllegalStateException when the replica reports no timing
   */
  void add(long nanos, String timing) {
    Matcher found = TIMING.matcher(timing);
    if (!found.matches()) {
      throw new IllegalStateException("Not a Server-Timing header of a replica with understudy.timing.header: " + timing);
    }
    long stable = nanos(found.group(1));
    long service = nanos(found.group(2));
    long lock = nanos(found.group(3));
    long commit = nanos(found.group(4));
    parts.get(Part.CLIENT).add(nanos - service - stable);
    parts.get(Part.LOCK).add(lock);
    parts.get(Part.SERVICE).add(service - lock);
    parts.get(Part.COMMIT).add(commit);
    parts.get(Part.ROUND).add(stable - commit);
  }

  /** The header of the last response that a port has got on this thread; empty without one. */
  static String header(BindingProvider port) {
    Object headers = port.getResponseContext().get(MessageContext.HTTP_RESPONSE_HEADERS);
    Object timing = headers instanceof Map<?, ?> map ? map.get("Server-Timing") : null;
    return timing instanceof List<?> list && !list.isEmpty() ? list.get(0).toString() : "";
  }

  private static long nanos(String millis) {
    return Math.round(Double.parseDouble(millis) * 1e6);
  }

  void addAll(Breakdown other) {
    other.parts.forEach((part, samples) -> parts.get(part).addAll(samples));
  }

  Samples of(Part part) {
    return parts.get(part);
  }
}
