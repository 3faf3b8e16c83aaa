package org.understudy.counter.client.command;

import java.util.concurrent.Callable;
import org.understudy.counter.client.CounterException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code get}. */
@Command(
    name = "get",
    description = "Prints the counter's resource property Value.")
final class Get implements Callable<Integer> {
  @Mixin private ReferenceFile reference;

  @Override
  public Integer call() throws CounterException, InterruptedException {
    reference.use(counter -> System.out.println(counter.value()));
    return 0;
  }
}
