package org.understudy.lab.durability;

import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.lab.durability.counter.CounterPortType;
import org.understudy.lab.durability.counter.CounterService;
import org.understudy.lab.durability.counter.CounterSetState;

/** The counters in memory, without a network, unless a test asks for an addition that is lost or done twice. */
final class OneCounter implements CounterPortType {
  private final CounterService service = new CounterService(new CounterSetState());
  private final AtomicInteger calls = new AtomicInteger();
  private final int failing;
  private final long error;

  /**
   * A counter with one error.
   *
   * @param failing the number of the addition that is not done once, from 1; 0 for none
   * @param error what is added besides
   */
  OneCounter(int failing, long error) {
    this.failing = failing;
    this.error = error;
  }

  @Override
  public synchronized long add(int counter, long amount) {
    return service.add(counter, calls.incrementAndGet() == failing ? amount + error : amount);
  }

  @Override
  public synchronized int open(int first, int count) {
    return service.open(first, count);
  }

  @Override
  public synchronized long value(int counter) {
    return service.value(counter);
  }

  @Override
  public synchronized int count() {
    return service.count();
  }

  @Override
  public synchronized long total() {
    return service.total();
  }
}
