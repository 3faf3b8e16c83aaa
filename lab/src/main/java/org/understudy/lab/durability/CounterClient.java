package org.understudy.lab.durability;

import jakarta.xml.ws.BindingProvider;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.lab.durability.counter.CounterPortType;
import org.understudy.lab.report.Samples;

/** One client of the counter that all clients of a group share. Not thread-safe. */
final class CounterClient implements AutoCloseable {
  private static final int COUNTER = 0;

  private final CounterPortType port;
  private final Supplier<String> timing;
  private final Runnable closing;
  private long last;
  private long added;

  /**
   * A client of a port.
   *
   * @param timing returns the header Server-Timing of the last response
   * @param closing releases what the port needs
   */
  CounterClient(CounterPortType port, Supplier<String> timing, Runnable closing) {
    this.port = port;
    this.timing = timing;
    this.closing = closing;
  }

  /** A client with a session of its own. */
  static CounterClient of(List<URI> services, URL wsdl) {
    // A restart of all replicas takes long.
    FaultTolerantGroup group = FaultTolerant.group(FaultTolerance.custom().replicas(services).deadline(Duration.ofMinutes(2)).build());
    CounterPortType port = group.client(CounterPortType.class, wsdl);
    return new CounterClient(port, () -> Breakdown.header((BindingProvider) port), group::close);
  }

  CounterPortType port() {
    return port;
  }

  /**
   * Adds 1.
   *
   * @throws IOException when the counter has gone back
   */
  void add() throws IOException {
    long value = port.add(COUNTER, 1);
    added++;
    if (value <= last) {
      throw new IOException("The counter returned " + value + " after it had returned " + last + ".");
    }
    last = value;
  }

  /** Adds 1, and records the parts of the round trip. */
  void add(Samples roundTrips, Breakdown breakdown) throws IOException {
    long begin = System.nanoTime();
    add();
    long nanos = System.nanoTime() - begin;
    roundTrips.add(nanos);
    breakdown.add(nanos, timing.get());
  }

  /** How often it has added. */
  long added() {
    return added;
  }

  /**
   * Compares the sum of all counters with what was added.
   *
   * @throws IOException when it differs: an addition was lost, or executed twice
   */
  void checkTotal(String label, long added) throws IOException {
    long total = port.total();
    if (total != added) {
      throw new IOException("The counter of " + label + " is " + total + " after " + added + " additions of 1.");
    }
  }

  @Override
  public void close() {
    closing.run();
  }
}
