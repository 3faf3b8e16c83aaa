package org.understudy.counter.client.command;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.understudy.counter.client.CounterException;
import org.understudy.counter.client.CounterGroup;
import org.understudy.counter.client.CounterReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code create}. */
@Command(
    name = "create",
    description = "Creates a counter at 0, writes its endpoint reference to a file, which it overwrites, and prints its"
        + " address.")
final class Create implements Callable<Integer> {
  @Option(
      names = "--service",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8081/counter/services/CounterService",
      description = "The service at a replica that is up (default ${DEFAULT-VALUE}). May be given several times; the "
          + "other replicas"
          + " are found from it.")
  private List<URI> services = new ArrayList<>();

  @Mixin private ReferenceFile reference;

  @Override
  public Integer call() throws CounterException {
    try (CounterGroup group = new CounterGroup(services)) {
      CounterReference made = group.create();
      try {
        made.writeTo(reference.file);
      } catch (CounterException e) {
        group.counter(made).destroy(); // Nobody could ever use it.
        throw e;
      }
      System.out.println(made.address());
      return 0;
    }
  }
}
