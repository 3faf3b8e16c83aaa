package org.understudy.lab.torture.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.Outcome;
import org.understudy.thread.DaemonThreads;

/**
 * Clients that add to a few shared counters and read them until they are stopped. Odd ones use the stub, even ones do not. Of each kind,
 * half give up soon, so that outcomes remain unknown. Some run transactions in place of updates.
 */
public final class Workload {
  private static final int MAX_AMOUNT = 999;
  private static final int MAX_PAUSE_MS = 20;
  private static final Duration LONG_DEADLINE = Duration.ofSeconds(12);
  private static final Duration SHORT_DEADLINE = Duration.ofMillis(1_200);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<URI> services;
  private final History history;
  private final CounterContract contract;
  private final int counters;
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
  private volatile boolean stopped;

  /**
   * Creates the counters, if the service must be asked for that.
   *
   * @param services the service at each replica
   * @param stateBytes that each counter has beside its value; only of the sample
   * @param durable whether it is that of {@code scripts/durability-bench}, otherwise the sample {@code services/counter}
   * @throws IOException when the group creates none, or a replica does not show them
   */
  public Workload(List<URI> services, int counters, int stateBytes, boolean durable, History history)
      throws IOException, InterruptedException {
    this.services = services;
    this.counters = counters;
    this.history = history;
    this.contract =
        durable ? new DurableCounters(services.get(0)) : SampleCounters.create(http, services.get(0), counters, stateBytes, PATIENCE);
    if (!durable) {
      awaitCounters();
    }
  }

  /** A new client may see any earlier state of a replica, also one without the counters, which would look like their loss. */
  private void awaitCounters() throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (int counter = 0; counter < counters; counter++) {
      for (int replica = 1; replica <= services.size(); replica++) {
        while (ask(Level.LOCAL, counter, replica).isEmpty()) {
          if (System.nanoTime() > end) {
            throw new IOException("Replica " + replica + " does not show counter " + counter + " " + PATIENCE.toSeconds()
                + " s after its creation was acknowledged.");
          }
          TimeUnit.MILLISECONDS.sleep(20);
        }
      }
    }
  }

  private OptionalInt ask(Level level, int counter, int replica) throws IOException, InterruptedException {
    return CounterMessages.result(PlainClient.post(http, services.get(replica - 1).resolve(contract.path(counter)),
        contract.read(level == Level.LINEARIZABLE ? null : level, null, counter), Duration.ofSeconds(5)));
  }

  /**
   * Starts the clients.
   *
   * @param transacting how many of them run transactions; the last ones
   */
  public void start(int clients, int transacting, long seed) {
    for (int i = 1; i <= clients; i++) {
      int number = i;
      Random random = new Random(seed * 31 + number);
      Thread thread = DaemonThreads.daemon("torture-client-" + number, () -> run(number, number > clients - transacting, random));
      threads.add(thread);
      thread.start();
    }
  }

  private void run(int number, boolean transacts, Random random) {
    String name = (number % 2 == 0 ? "plain-" : "stub-") + number;
    Duration deadline = (number - 1) / 2 % 2 == 0 ? LONG_DEADLINE : SHORT_DEADLINE;
    try (CounterClient client = number % 2 == 0 ? new PlainClient(services, contract, deadline, random)
        : new StubClient(services, contract, counters, deadline)) {
      while (!stopped) {
        operate(name, client, transacts, random);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(MAX_PAUSE_MS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      errors.add(name + " ended: " + e);
    }
  }

  private void operate(String name, CounterClient client, boolean transacts, Random random) throws InterruptedException {
    int counter = random.nextInt(counters);
    Level level = level(random.nextInt(100));
    if (transacts && level == Level.UPDATE) {
      client.transact(TransactionScript.draw(random, counters, MAX_AMOUNT), new TransactionRecorder(history, name));
      return;
    }
    int amount = level == Level.UPDATE ? random.nextInt(MAX_AMOUNT) + 1 : 0;
    long invoked = history.now();
    Attempt attempt = level == Level.UPDATE ? client.add(counter, amount) : client.read(counter, level);
    history.add(new Operation(
        name, level, counter, amount, attempt.value(), invoked, history.now(), attempt.ended(), attempt.replica()));
  }

  private static Level level(int percent) {
    if (percent < 40) {
      return Level.UPDATE;
    }
    return percent < 60 ? Level.LINEARIZABLE : percent < 80 ? Level.SESSION : Level.LOCAL;
  }

  /** Whether a client has ended by itself, as it does when an answer is wrong. */
  public boolean failed() {
    return !errors.isEmpty();
  }

  /**
   * Lets each client end its operation and stop.
   *
   * @return what ended a client before, or keeps it from ending
   */
  public List<String> stop() throws InterruptedException {
    stopped = true;
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
      if (thread.isAlive()) {
        errors.add(thread.getName() + " still waits " + PATIENCE.toSeconds() + " s after the end of all faults.");
      }
    }
    return List.copyOf(errors);
  }

  /**
   * Reads every counter at every replica when no client writes any more: linearizable reads, which are recorded, and then local ones until
   * they are equal to them.
   *
   * @return which replicas differ after a while, for people; empty if all are equal
   */
  public List<String> differences() throws InterruptedException {
    List<String> differences = new ArrayList<>();
    for (int counter = 0; counter < counters; counter++) {
      for (int replica = 1; replica <= services.size(); replica++) {
        OptionalInt expected = read(Level.LINEARIZABLE, counter, replica);
        OptionalInt local = read(Level.LOCAL, counter, replica);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while ((expected.isEmpty() || !expected.equals(local)) && System.nanoTime() < end) {
          TimeUnit.MILLISECONDS.sleep(100);
          expected = expected.isEmpty() ? read(Level.LINEARIZABLE, counter, replica) : expected;
          local = read(Level.LOCAL, counter, replica);
        }
        if (expected.isEmpty() || !expected.equals(local)) {
          differences.add("counter " + counter + " at replica " + replica + " is " + text(local) + ", and for the group "
              + text(expected));
        }
      }
    }
    return differences;
  }

  /**
   * Reads every counter when no client writes any more, at any replica that answers a linearizable read. The reads are recorded.
   *
   * @return which counters no replica reads for a while, for people; empty if all are read
   */
  public List<String> unreadable() throws InterruptedException {
    List<String> unreadable = new ArrayList<>();
    for (int counter = 0; counter < counters; counter++) {
      OptionalInt value = OptionalInt.empty();
      long end = System.nanoTime() + PATIENCE.toNanos();
      for (int turn = 0; value.isEmpty() && System.nanoTime() < end; turn++) {
        value = read(Level.LINEARIZABLE, counter, turn % services.size() + 1);
      }
      if (value.isEmpty()) {
        unreadable.add("counter " + counter + " is not to be read");
      }
    }
    return unreadable;
  }

  /**
   * Records the rows of a database as linearizable reads of all counters.
   *
   * @param rows the value of each counter; one that has no row is 0
   * @param invoked when their transaction began, in ns of the history
   */
  public void recordRows(Map<Integer, Long> rows, long invoked) {
    long returned = history.now();
    for (int counter = 0; counter < counters; counter++) {
      int value = Math.toIntExact(rows.getOrDefault(counter, 0L));
      history.add(new Operation("row", Level.LINEARIZABLE, counter, 0, value, invoked, returned, Outcome.OK, 0));
    }
  }

  private static String text(OptionalInt value) {
    return value.isPresent() ? Integer.toString(value.getAsInt()) : "not to be read";
  }

  private OptionalInt read(Level level, int counter, int replica) throws InterruptedException {
    long invoked = history.now();
    OptionalInt value = OptionalInt.empty();
    try {
      value = ask(level, counter, replica);
    } catch (IOException e) {
      // The caller repeats it.
    }
    history.add(new Operation("end", level, counter, 0, value.orElse(0), invoked, history.now(),
        value.isPresent() ? Outcome.OK : Outcome.FAIL, replica));
    return value;
  }
}
