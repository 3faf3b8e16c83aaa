package org.understudy.lab.durability.counter;

import jakarta.jws.WebService;
import org.understudy.replication.api.Read;

/** The counters. Nothing here depends on how their values are kept. */
@WebService(
    endpointInterface = "org.understudy.lab.durability.counter.CounterPortType",
    targetNamespace = CounterPortType.NAMESPACE,
    serviceName = "CounterService",
    portName = "CounterPort")
public class CounterService implements CounterPortType {
  private final CounterSet counters;

  public CounterService(CounterSet counters) {
    this.counters = counters;
  }

  @Override
  public long add(int counter, long amount) {
    if (!counters.contains(counter)) {
      counters.insertValue(counter, amount);
    } else {
      counters.setValue(counter, Math.addExact(counters.value(counter), amount));
    }
    return counters.value(counter);
  }

  @Override
  public int open(int first, int count) {
    for (int counter = first; counter < first + count; counter++) {
      if (!counters.contains(counter)) {
        counters.insertValue(counter, 1);
      }
    }
    return counters.size();
  }

  @Override
  @Read
  public long value(int counter) {
    return counters.value(counter);
  }

  @Override
  @Read
  public int count() {
    return counters.size();
  }

  @Override
  @Read
  public long total() {
    return counters.total();
  }
}
