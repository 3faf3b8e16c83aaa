package org.understudy.counter.client;

import jakarta.xml.ws.EndpointReference;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.counter.client.contract.CounterPortType;
import org.understudy.counter.client.contract.CreateCounter;
import org.understudy.counter.client.contract.subscription.SubscriptionManagerPortType;

/**
 * The replicas of one Counter service, as one. Every call blocks until it is answered, whichever replica is primary by then,
 * and at most for {@link #PATIENCE}. Thread-safe.
 */
public final class CounterGroup implements AutoCloseable {
  /** How long a call may take over all its attempts. */
  public static final Duration PATIENCE = Duration.ofSeconds(20);

  static final String NAMESPACE = "http://counter.com";
  /** As {@code …/services/CounterService?wsdl} and the other published them, with what they import. */
  private static final URL COUNTERS = CounterGroup.class.getResource("/wsdl/CounterService.wsdl");
  private static final URL SUBSCRIPTIONS = CounterGroup.class.getResource("/wsdl/SubscriptionManager.wsdl");

  private final FaultTolerantGroup group;

  /**
   * Does not connect.
   *
   * @param replicas the service's URL at each replica; one that answers is enough
   * @throws CounterException when one is not such a URL
   */
  public CounterGroup(List<URI> replicas) throws CounterException {
    try {
      this.group = FaultTolerant.group(FaultTolerance.custom().replicas(replicas).deadline(PATIENCE).build());
    } catch (IllegalArgumentException e) {
      throw new CounterException(e.getMessage(), e);
    }
  }

  /**
   * Makes a counter at 0.
   *
   * @throws CounterException when no replica has made one
   */
  public CounterReference create() throws CounterException {
    CounterPortType factory = group.client(CounterPortType.class, COUNTERS);
    EndpointReference made =
        Calls.ask("A counter could not be created", () -> factory.createCounter(new CreateCounter()).getEndpointReference());
    return new CounterReference(made, group.replicas());
  }

  /**
   * A counter by its reference. Does not connect.
   *
   * @throws CounterException when the reference is not one of this service
   */
  public Counter counter(CounterReference reference) throws CounterException {
    return new Counter(this, port(CounterPortType.class, COUNTERS, reference.endpoint()));
  }

  /** What renews and ends a subscription: a resource beside the counters, at the same replicas. */
  SubscriptionManagerPortType subscription(EndpointReference reference) throws CounterException {
    return port(SubscriptionManagerPortType.class, SUBSCRIPTIONS, reference);
  }

  private <T> T port(Class<T> type, URL contract, EndpointReference reference) throws CounterException {
    try {
      return group.client(type, contract, reference);
    } catch (IllegalArgumentException e) {
      throw new CounterException(e.getMessage(), e);
    }
  }

  /** Ends the session; open calls fail. */
  @Override
  public void close() {
    group.close();
  }
}
