package org.understudy.lab.durability.counter;

import jakarta.jws.WebService;
import org.understudy.replication.api.Read;

/**
 * The counters, each kept twice. A mapping keeps one set by replication and the other one in a database, so that an addition that takes
 * effect in one of them only is seen by the next request.
 */
@WebService(
    endpointInterface = "org.understudy.lab.durability.counter.CounterPortType",
    targetNamespace = CounterPortType.NAMESPACE,
    serviceName = "CounterService",
    portName = "CounterPort")
public class TwiceKeptCounterService implements CounterPortType {
  /** The answer to a request that finds two values of one counter, and changes neither. */
  public static final long HALF = -1;

  private final CounterService replicated;
  private final CounterService stored;

  public TwiceKeptCounterService(CounterSet replicated, CounterSet stored) {
    this.replicated = new CounterService(replicated);
    this.stored = new CounterService(stored);
  }

  @Override
  public long add(int counter, long amount) {
    return value(counter) == HALF ? HALF : equal(replicated.add(counter, amount), stored.add(counter, amount));
  }

  @Override
  public int open(int first, int count) {
    replicated.open(first, count);
    return stored.open(first, count);
  }

  @Override
  @Read
  public long value(int counter) {
    return equal(replicated.value(counter), stored.value(counter));
  }

  @Override
  @Read
  public int count() {
    return stored.count();
  }

  @Override
  @Read
  public long total() {
    return stored.total();
  }

  private static long equal(long first, long second) {
    return first == second ? first : HALF;
  }
}
