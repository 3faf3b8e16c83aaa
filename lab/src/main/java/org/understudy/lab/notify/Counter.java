package org.understudy.lab.notify;

import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.counter.CounterPortType;
import org.understudy.counter.CreateCounter;
import org.understudy.counter.UnknownCounter;
import org.understudy.lab.cluster.CounterAddress;

/** A counter behind the stub, which only this object changes. Not thread-safe. */
final class Counter {
  private static final URL CONTRACT = CounterPortType.class.getResource("/wsdl/counter.wsdl");

  private final CounterPortType port;
  private final URI address;
  private int total;

  /** Makes it. */
  Counter(FaultTolerantGroup group) throws IOException {
    W3CEndpointReference reference =
        group.client(CounterPortType.class, CONTRACT).createCounter(new CreateCounter()).getEndpointReference();
    port = group.client(CounterPortType.class, CONTRACT, reference);
    address = CounterAddress.in(reference.toString());
  }

  /** Where its subscribers subscribe. */
  URI address() {
    return address;
  }

  /** The result of the next {@link #add}. */
  int next() {
    return total + 1;
  }

  /**
   * Adds 1.
   *
   * @throws IOException when it was not added exactly once
   */
  void add() throws IOException, UnknownCounter {
    int expected = ++total;
    int said = port.add(1);
    if (said != expected) {
      throw new IOException("The counter returned " + said + "; expected was " + expected + ".");
    }
  }
}
