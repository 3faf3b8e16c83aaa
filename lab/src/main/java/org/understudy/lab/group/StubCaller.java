package org.understudy.lab.group;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.handler.MessageContext;
import java.net.URI;
import java.net.URL;
import java.util.List;
import java.util.Map;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.counter.CounterPortType;
import org.understudy.counter.CreateCounter;
import org.understudy.counter.UnknownCounter;
import org.understudy.replication.api.ReadLevel;

/** A generated port with the stub, at one replica, with a counter of its own. Not thread-safe. */
final class StubCaller implements Pair.Caller {
  private static final URL CONTRACT = CounterPortType.class.getResource("/wsdl/counter.wsdl");

  private final FaultTolerantGroup group;
  private final CounterPortType counter;
  private int total;

  /** @param services the first one is preferred */
  StubCaller(List<URI> services, ReadLevel level) {
    group = FaultTolerant.group(FaultTolerance.custom().replicas(services).preferred(services.get(0)).readLevel(level).build());
    counter =
        group.client(
            CounterPortType.class,
            CONTRACT,
            group.client(CounterPortType.class, CONTRACT).createCounter(new CreateCounter()).getEndpointReference());
  }

  @Override
  public void call(boolean update, Breakdown breakdown) throws UnknownCounter {
    total += update ? 1 : 0;
    long begin = System.nanoTime();
    int got = update ? counter.add(1) : counter.getValue();
    long nanos = System.nanoTime() - begin;
    if (got != total) {
      throw new IllegalStateException("The counter returned " + got + "; expected was " + total + ".");
    }
    Object headers = ((BindingProvider) counter).getResponseContext().get(MessageContext.HTTP_RESPONSE_HEADERS);
    Object timing = headers instanceof Map<?, ?> map ? map.get("Server-Timing") : null;
    breakdown.add(nanos, timing instanceof List<?> list && !list.isEmpty() ? list.get(0).toString() : "");
  }

  @Override
  public void close() {
    group.close();
  }
}
