package org.understudy.lab.demo;

import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.net.URL;
import java.util.function.BooleanSupplier;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.counter.CounterPortType;
import org.understudy.counter.CreateCounter;
import org.understudy.counter.UnknownCounter;

/** Each client adds to a counter of its own. */
final class CounterWorkload implements Workload {
  @Override
  public String service() {
    return "counter";
  }

  @Override
  public String endpoint() {
    return "CounterService";
  }

  @Override
  public void run(int client, FaultTolerantGroup group, Account account, BooleanSupplier stopped) throws UnknownCounter {
    URL contract = CounterPortType.class.getResource("/wsdl/counter.wsdl");
    CounterPortType factory = group.client(CounterPortType.class, contract);
    W3CEndpointReference counter = factory.createCounter(new CreateCounter()).getEndpointReference();
    CounterPortType port = group.client(CounterPortType.class, contract, counter);
    for (int amount = 1; !stopped.getAsBoolean(); amount = amount % 97 + 1) {
      long begin = System.nanoTime();
      int total = port.add(amount);
      account.add(amount, total, System.nanoTime() - begin);
    }
    account.add(0, port.getValue(), 0);
  }
}
