package org.understudy.lab.torture.client;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.wsaddressing.W3CEndpointReferenceBuilder;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.counter.CounterPortType;
import org.understudy.counter.UnknownCounter;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Outcome;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.ReadLevel;

/** A client with the stub, as an application has it. */
final class StubClient implements CounterClient {
  private static final URL CONTRACT = CounterPortType.class.getResource("/wsdl/counter.wsdl");

  private final FaultTolerantGroup group;
  private final List<CounterPortType> counters = new ArrayList<>();

  /** @param paths of the counters below the address of any replica's service */
  StubClient(List<URI> services, List<String> paths, Duration deadline) {
    group = FaultTolerant.group(FaultTolerance.custom().replicas(services).connectTimeout(Duration.ofMillis(500))
        .responseTimeout(deadline.dividedBy(4)).deadline(deadline).build());
    for (String path : paths) {
      counters.add(group.client(CounterPortType.class, CONTRACT,
          new W3CEndpointReferenceBuilder().address(services.get(0).resolve(path).toString()).build()));
    }
  }

  @Override
  public Attempt add(int counter, int amount) {
    try {
      return new Attempt(Outcome.OK, counters.get(counter).add(amount), 0);
    } catch (UnknownCounter e) {
      throw lost(counter, e);
    } catch (WebServiceException e) {
      boolean none = InvocationFailedException.in(e).filter(failed -> failed.certainty() == Certainty.NOT_EXECUTED).isPresent();
      return new Attempt(none ? Outcome.FAIL : Outcome.UNKNOWN, 0, 0);
    }
  }

  @Override
  public Attempt read(int counter, Level level) {
    CounterPortType port = counters.get(counter);
    ((BindingProvider) port).getRequestContext()
        .put(FaultTolerant.READ_LEVEL, ReadLevel.valueOf(level.name().toUpperCase(Locale.ROOT)));
    try {
      return new Attempt(Outcome.OK, port.getValue(), 0);
    } catch (UnknownCounter e) {
      if (level == Level.LOCAL) {
        // A state from before the counter was created.
        return new Attempt(Outcome.FAIL, 0, 0);
      }
      throw lost(counter, e);
    } catch (WebServiceException e) {
      return new Attempt(Outcome.FAIL, 0, 0);
    }
  }

  private static IllegalStateException lost(int counter, Exception cause) {
    return new IllegalStateException("Counter " + counter + " is unknown to the group, though its creation was acknowledged.", cause);
  }

  @Override
  public void close() {
    group.close();
  }
}
