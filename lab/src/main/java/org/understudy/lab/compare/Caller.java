package org.understudy.lab.compare;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.handler.MessageContext;
import java.net.URI;
import java.net.URL;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.counter.CounterPortType;
import org.understudy.counter.CreateCounter;
import org.understudy.counter.UnknownCounter;
import org.understudy.lab.report.Samples;

/** One client of one mode: a generated port with the stub, and a counter of each size. */
final class Caller implements AutoCloseable {
  private static final String TIMING = "stable;dur=";

  private final FaultTolerantGroup group;
  private final Map<Integer, CounterPortType> counters = new HashMap<>();
  private final Map<Integer, Integer> totals = new HashMap<>();

  Caller(List<URI> services, List<Integer> sizes) {
    group = FaultTolerant.group(FaultTolerance.ofDefaults(services));
    URL contract = CounterPortType.class.getResource("/wsdl/counter.wsdl");
    CounterPortType factory = group.client(CounterPortType.class, contract);
    for (int bytes : sizes) {
      CreateCounter create = new CreateCounter();
      create.setStateBytes(bytes);
      counters.put(bytes,
          group.client(CounterPortType.class, contract, factory.createCounter(create).getEndpointReference()));
      totals.put(bytes, 0);
    }
  }

  /**
   * One update.
   *
   * @param client takes the round trip as the client saw it
   * @param stable takes the time from the end of the service method until every backup had acknowledged
   */
  void call(int bytes, Samples client, Samples stable) throws UnknownCounter {
    CounterPortType counter = counters.get(bytes);
    int expected = totals.merge(bytes, 1, Integer::sum);
    long begin = System.nanoTime();
    int total = counter.add(1);
    client.add(System.nanoTime() - begin);
    if (total != expected) {
      throw new IllegalStateException("The counter returned " + total + "; expected was " + expected + ".");
    }
    stable.add(stableNanos((BindingProvider) counter));
  }

  private static long stableNanos(BindingProvider counter) {
    Object headers = counter.getResponseContext().get(MessageContext.HTTP_RESPONSE_HEADERS);
    Object timing = headers instanceof Map<?, ?> map ? map.get("Server-Timing") : null;
    String first = timing instanceof List<?> list && !list.isEmpty() ? list.get(0).toString() : "";
    if (!first.startsWith(TIMING)) {
      throw new IllegalStateException("The replica sent no Server-Timing header; understudy.timing.header must be true.");
    }
    String[] parts = first.split("[=,]");
    return Math.round(Double.parseDouble(parts[1]) * 1e6);
  }

  @Override
  public void close() {
    group.close();
  }
}
