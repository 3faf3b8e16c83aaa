package org.understudy.counter.client.command;

import java.util.concurrent.Callable;
import org.understudy.counter.client.CounterException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code add}. */
@Command(
    name = "add",
    description = "Adds to the counter, exactly once whatever happens to a replica, and prints the new value.")
final class Add implements Callable<Integer> {
  @Parameters(paramLabel = "N", description = "An integer; may be negative.")
  private int amount;

  @Mixin private ReferenceFile reference;

  @Override
  public Integer call() throws CounterException, InterruptedException {
    reference.use(counter -> System.out.println(counter.add(amount)));
    return 0;
  }
}
