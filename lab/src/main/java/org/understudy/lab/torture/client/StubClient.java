package org.understudy.lab.torture.client;

import jakarta.xml.ws.WebServiceException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.lab.torture.client.CounterContract.CounterPort;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Outcome;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.ReadLevel;

/** A client with the stub, as an application has it. */
final class StubClient implements CounterClient {
  private final FaultTolerantGroup group;
  private final List<CounterPort> ports = new ArrayList<>();

  /**
   * @param services the service at each replica
   * @param counters how many
   */
  StubClient(List<URI> services, CounterContract contract, int counters, Duration deadline) {
    group = FaultTolerant.group(FaultTolerance.custom().replicas(services).connectTimeout(Duration.ofMillis(500))
        .responseTimeout(deadline.dividedBy(4)).deadline(deadline).build());
    for (int i = 0; i < counters; i++) {
      ports.add(contract.port(group, services.get(0), i));
    }
  }

  @Override
  public Attempt add(int counter, int amount) {
    try {
      return new Attempt(Outcome.OK, ports.get(counter).add(amount), 0);
    } catch (WebServiceException e) {
      boolean none = InvocationFailedException.in(e).filter(failed -> failed.certainty() == Certainty.NOT_EXECUTED).isPresent();
      return new Attempt(none ? Outcome.FAIL : Outcome.UNKNOWN, 0, 0);
    }
  }

  @Override
  public Attempt read(int counter, Level level) {
    CounterPort port = ports.get(counter);
    port.requestContext().put(FaultTolerant.READ_LEVEL, ReadLevel.valueOf(level.name().toUpperCase(Locale.ROOT)));
    try {
      OptionalInt value = port.value(level);
      return new Attempt(value.isPresent() ? Outcome.OK : Outcome.FAIL, value.orElse(0), 0);
    } catch (WebServiceException e) {
      return new Attempt(Outcome.FAIL, 0, 0);
    }
  }

  @Override
  public void close() {
    group.close();
  }
}
