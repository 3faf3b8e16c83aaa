package org.understudy.lab.durability;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.util.List;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.lab.durability.counter.CounterPortType;

/** One client of the counter that all clients of a group share. Not thread-safe. */
final class CounterClient implements AutoCloseable {
  private static final int COUNTER = 0;

  private final CounterPortType port;
  private final Runnable closing;
  private long last;
  private long added;

  /** @param closing releases what the port needs */
  CounterClient(CounterPortType port, Runnable closing) {
    this.port = port;
    this.closing = closing;
  }

  /** A client with a session of its own. */
  static CounterClient of(List<URI> services, URL wsdl) {
    FaultTolerantGroup group = FaultTolerant.group(FaultTolerance.ofDefaults(services));
    return new CounterClient(group.client(CounterPortType.class, wsdl), group::close);
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

  /** How often it has added. */
  long added() {
    return added;
  }

  @Override
  public void close() {
    closing.run();
  }
}
