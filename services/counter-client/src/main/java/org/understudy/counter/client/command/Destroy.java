package org.understudy.counter.client.command;

import java.util.concurrent.Callable;
import org.understudy.counter.client.Counter;
import org.understudy.counter.client.CounterException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code destroy}. */
@Command(
    name = "destroy",
    description = "Ends the counter. The file with its reference stays.")
final class Destroy implements Callable<Integer> {
  @Mixin private ReferenceFile reference;

  @Override
  public Integer call() throws CounterException, InterruptedException {
    reference.use(Counter::destroy);
    return 0;
  }
}
