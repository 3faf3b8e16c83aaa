package org.understudy.counter.client;

import jakarta.xml.bind.JAXBElement;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.counter.client.contract.CounterPortType;

/** One counter. Calls block as those of its {@link CounterGroup}; thread-safe. */
public final class Counter {
  static final QName VALUE = new QName(CounterGroup.NAMESPACE, "Value");

  private final CounterGroup group;
  private final CounterPortType port;

  Counter(CounterGroup group, CounterPortType port) {
    this.group = group;
    this.port = port;
  }

  /**
   * Adds, exactly once.
   *
   * @return the new value
   * @throws CounterException when it was not executed, or the outcome is unknown; the message names which
   */
  public int add(int amount) throws CounterException {
    return Calls.ask(amount + " could not be added to the counter", () -> port.add(amount));
  }

  /**
   * The resource property Value (WS-ResourceProperties 1.2, GetResourceProperty).
   *
   * @throws CounterException when there is no answer
   */
  public int value() throws CounterException {
    return Calls.ask("The counter's value could not be read", () -> {
      List<Object> values = port.getResourceProperty(VALUE).getAny();
      if (values.size() == 1 && values.get(0) instanceof JAXBElement<?> element
          && element.getValue() instanceof Integer value) {
        return value;
      }
      throw new CounterException("the service answered " + values.size() + " elements that are not a Value.", null);
    });
  }

  /**
   * Ends the counter (WS-ResourceLifetime 1.2, Destroy).
   *
   * @throws CounterException when it was not executed, or the outcome is unknown; the message names which
   */
  public void destroy() throws CounterException {
    Calls.ask("The counter could not be destroyed", () -> {
      port.destroy();
      return null;
    });
  }

  /**
   * Subscribes to every change of the value and to the counter's end.
   *
   * @param consumer where to: the URL of a NotificationConsumer
   * @param lifetime how long, unless renewed; at least 1 s
   * @throws CounterException when the service rejects the request, or there is no answer
   */
  public ValueSubscription subscribe(URI consumer, Duration lifetime) throws CounterException {
    return ValueSubscription.open(group, port, consumer, lifetime);
  }
}
