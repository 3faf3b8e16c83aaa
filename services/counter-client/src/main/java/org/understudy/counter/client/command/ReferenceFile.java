package org.understudy.counter.client.command;

import java.nio.file.Path;
import org.understudy.counter.client.Counter;
import org.understudy.counter.client.CounterException;
import org.understudy.counter.client.CounterGroup;
import org.understudy.counter.client.CounterReference;
import picocli.CommandLine.Option;

/** The option {@code --epr}, and what it leads to. */
final class ReferenceFile {
  @Option(
      names = "--epr",
      paramLabel = "FILE",
      defaultValue = "counter.epr",
      description = "The counter's endpoint reference, as XML (default ${DEFAULT-VALUE}).")
  Path file;

  /** What to do with a counter. */
  @FunctionalInterface
  interface Use {
    void with(Counter counter) throws CounterException, InterruptedException;
  }

  void use(Use use) throws CounterException, InterruptedException {
    CounterReference reference = CounterReference.readFrom(file);
    try (CounterGroup group = new CounterGroup(reference.replicas())) {
      use.with(group.counter(reference));
    }
  }
}
