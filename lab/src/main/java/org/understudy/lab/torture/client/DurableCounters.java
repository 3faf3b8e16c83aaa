package org.understudy.lab.torture.client;

import jakarta.xml.ws.BindingProvider;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalInt;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.lab.cluster.Envelopes;
import org.understudy.lab.durability.counter.CounterPortType;
import org.understudy.lab.durability.counter.TwiceKeptCounterService;
import org.understudy.lab.torture.history.Level;

/** The counters of a service with a durability mapping. A counter is there when something has been added to it, and 0 before. */
final class DurableCounters implements CounterContract {
  private final String path;

  /** @param service at any replica */
  DurableCounters(URI service) {
    this.path = service.getRawPath();
  }

  @Override
  public String path(int counter) {
    return path;
  }

  @Override
  public String add(String header, int counter, int amount) {
    return envelope(header, "add", "<counter>" + counter + "</counter><amount>" + amount + "</amount>");
  }

  @Override
  public String read(String header, int counter) {
    return envelope(header, "value", "<counter>" + counter + "</counter>");
  }

  private static String envelope(String header, String operation, String content) {
    String element = "c:" + operation;
    return Envelopes.envelope(header,
        "<" + element + " xmlns:c=\"" + CounterPortType.NAMESPACE + "\">" + content + "</" + element + ">");
  }

  @Override
  public Optional<String> wrong(String answer, int counter, Level level) {
    OptionalInt value = CounterMessages.result(answer);
    return value.isPresent() && value.getAsInt() == TwiceKeptCounterService.HALF ? Optional.of(half(counter)) : Optional.empty();
  }

  private static String half(int counter) {
    return "Half an update: counter " + counter + " has another value in the memory than in its row";
  }

  @Override
  public CounterPort port(FaultTolerantGroup group, URI service, int counter) {
    CounterPortType port = group.client(CounterPortType.class, null);
    return new CounterPort() {
      @Override
      public int add(int amount) {
        return whole(port.add(counter, amount));
      }

      @Override
      public OptionalInt value(Level level) {
        return OptionalInt.of(whole(port.value(counter)));
      }

      private int whole(long value) {
        if (value == TwiceKeptCounterService.HALF) {
          throw new IllegalStateException(half(counter) + ".");
        }
        return Math.toIntExact(value);
      }

      @Override
      public BindingProvider stub() {
        return (BindingProvider) port;
      }
    };
  }
}
