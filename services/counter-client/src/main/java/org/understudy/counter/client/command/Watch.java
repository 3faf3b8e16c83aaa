package org.understudy.counter.client.command;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.understudy.counter.client.Counter;
import org.understudy.counter.client.CounterException;
import org.understudy.counter.client.ValueConsumer;
import org.understudy.counter.client.ValueSubscription;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code watch}. */
@Command(
    name = "watch",
    description = "Subscribes to the counter's topic Value and prints every value that it receives, one per line, "
        + "until Ctrl-C"
        + " or the counter's end."
        + " A failover does not end it: the subscription is part of the service's state.")
final class Watch implements Callable<Integer> {
  /** Longer than it takes to unsubscribe while a failover is under way. */
  private static final long MAX_FAREWELL_SECONDS = 10;

  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  @Mixin private ReferenceFile reference;

  @Option(
      names = "--times",
      paramLabel = "N",
      description = "Ends after so many values, 1 or more; otherwise with Ctrl-C.")
  private Integer times;

  @Option(
      names = "--host",
      defaultValue = "127.0.0.1",
      description = "Where to listen, and how the replicas reach it (default ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = "0",
      description = "The port to listen at; 0, the default, takes a free one.")
  private int port;

  @Option(
      names = "--lifetime",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Seconds that the subscription outlives this program if it is killed, 2 to 86400 (default "
          + "${DEFAULT-VALUE});"
          + " renewed at half of it.")
  private int lifetime;

  @Spec private CommandSpec command;

  private final CountDownLatch left = new CountDownLatch(1);
  private volatile boolean interrupted;

  @Override
  public Integer call() throws CounterException, InterruptedException {
    check("--times", times == null ? 1 : times, 1, Integer.MAX_VALUE);
    check("--port", port, 0, 65_535);
    check("--lifetime", lifetime, 2, 86_400);
    Thread farewell = new Thread(farewell(Thread.currentThread()), "farewell");
    Runtime.getRuntime().addShutdownHook(farewell);
    try {
      reference.use(this::watch);
    } finally {
      left.countDown();
      if (!interrupted) {
        Runtime.getRuntime().removeShutdownHook(farewell);
      }
    }
    return 0;
  }

  private void check(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          command.commandLine(), option + " is from " + least + " to " + most + ", not " + value + ".");
    }
  }

  /** At Ctrl-C: gets the watching thread out of its waiting, and lets it unsubscribe before the JVM ends. */
  private Runnable farewell(Thread watching) {
    return () -> {
      interrupted = true;
      watching.interrupt();
      try {
        left.await(MAX_FAREWELL_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  private void watch(Counter counter) throws CounterException {
    try (ValueConsumer consumer = new ValueConsumer(host, port)) {
      ValueSubscription subscription = counter.subscribe(consumer.address(), Duration.ofSeconds(lifetime));
      System.err.println("Watching at " + consumer.address() + "; Ctrl-C ends.");
      boolean ended = false;
      try {
        ended = print(consumer, subscription);
      } catch (InterruptedException e) {
        // Ctrl-C: unsubscribing needs a thread without the mark of an interrupt, which is gone by now.
      }
      if (!ended) {
        // Else it ends with the counter.
        subscription.unsubscribe();
      }
    }
  }

  /** Whether the counter has ended. */
  private boolean print(ValueConsumer consumer, ValueSubscription subscription)
      throws CounterException, InterruptedException {
    long now = System.nanoTime();
    long end = now + subscription.left().toNanos();
    long renewal = now + subscription.left().toNanos() / 2;
    for (int printed = 0; times == null || printed < times; ) {
      ValueConsumer.News news = consumer.next(Duration.ofNanos(Math.max(0, renewal - System.nanoTime())));
      if (news != null && news.ended()) {
        System.err.println("The counter has ended.");
        return true;
      }
      if (news != null) {
        System.out.println(news.value());
        printed++;
      }
      now = System.nanoTime();
      if (now - renewal >= 0) {
        try {
          subscription.renew();
          end = now + subscription.left().toNanos();
          renewal = now + subscription.left().toNanos() / 2;
        } catch (CounterException e) {
          if (System.nanoTime() - end >= 0) {
            throw e;
          }
          System.err.println("counter: " + e.getMessage() + " It is tried again.");
          renewal = System.nanoTime() + RETRY_NANOS;
        }
      }
    }
    return false;
  }
}
