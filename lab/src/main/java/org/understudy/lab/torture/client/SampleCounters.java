package org.understudy.lab.torture.client;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.wsaddressing.W3CEndpointReferenceBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.counter.CounterPortType;
import org.understudy.counter.UnknownCounter;
import org.understudy.lab.cluster.CounterAddress;
import org.understudy.lab.cluster.Envelopes;
import org.understudy.lab.torture.history.Level;

/** The sample {@code services/counter}, where each counter is a WS-Resource. A local read may show a state from before its creation. */
final class SampleCounters implements CounterContract {
  private static final URL CONTRACT = CounterPortType.class.getResource("/wsdl/counter.wsdl");
  private static final String UNKNOWN = "UnknownCounter";

  private final List<String> paths;

  private SampleCounters(List<String> paths) {
    this.paths = List.copyOf(paths);
  }

  /**
   * Creates counters.
   *
   * @param stateBytes that each has beside its value
   * @throws IOException when the service does not answer with the reference of a counter
   */
  static SampleCounters create(HttpClient http, URI service, int counters, int stateBytes, Duration patience)
      throws IOException, InterruptedException {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < counters; i++) {
      paths.add(CounterAddress.in(PlainClient.post(http, service, Envelopes.createCounter(stateBytes), patience)).getRawPath());
    }
    return new SampleCounters(paths);
  }

  @Override
  public String path(int counter) {
    return paths.get(counter);
  }

  @Override
  public String add(String header, int counter, int amount) {
    return Envelopes.add(header, amount);
  }

  @Override
  public String read(String header, int counter) {
    return Envelopes.getValue(header);
  }

  @Override
  public Optional<String> wrong(String answer, int counter, Level level) {
    return answer.contains(UNKNOWN) && level != Level.LOCAL ? Optional.of(lost(counter) + ": " + answer) : Optional.empty();
  }

  private static String lost(int counter) {
    return "Counter " + counter + " is unknown to the group, though its creation was acknowledged";
  }

  @Override
  public CounterPort port(FaultTolerantGroup group, URI service, int counter) {
    CounterPortType port = group.client(CounterPortType.class, CONTRACT,
        new W3CEndpointReferenceBuilder().address(service.resolve(path(counter)).toString()).build());
    return new CounterPort() {
      @Override
      public int add(int amount) {
        try {
          return port.add(amount);
        } catch (UnknownCounter e) {
          throw new IllegalStateException(lost(counter), e);
        }
      }

      @Override
      public OptionalInt value(Level level) {
        try {
          return OptionalInt.of(port.getValue());
        } catch (UnknownCounter e) {
          if (level == Level.LOCAL) {
            return OptionalInt.empty();
          }
          throw new IllegalStateException(lost(counter), e);
        }
      }

      @Override
      public BindingProvider stub() {
        return (BindingProvider) port;
      }
    };
  }
}
