package org.understudy.lab.durability;

import jakarta.xml.ws.BindingProvider;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.lab.report.Samples;
import org.understudy.matchmaker.DuplicateJob;
import org.understudy.matchmaker.InvalidRequest;
import org.understudy.matchmaker.LimitReached;
import org.understudy.matchmaker.MachineConflict;
import org.understudy.matchmaker.MatchmakerPortType;
import org.understudy.matchmaker.NoMatchingMachine;
import org.understudy.matchmaker.UnknownJob;

/** One client of one Matchmaker, which counts what it was allocated. Not thread-safe. */
final class MatchmakerClient implements AutoCloseable {
  private final MatchmakerPortType port;
  private final String name;
  private final Supplier<String> timing;
  private final Runnable closing;
  private Breakdown breakdown = new Breakdown();
  private final List<String> jobs = new ArrayList<>();
  private int submitted;

  /**
   * A client of a port.
   *
   * @param timing returns the header Server-Timing of the last response
   * @param closing releases what the port needs
   */
  MatchmakerClient(MatchmakerPortType port, String name, Supplier<String> timing, Runnable closing) {
    this.port = port;
    this.name = name;
    this.timing = timing;
    this.closing = closing;
  }

  /** A client with a session of its own. */
  static MatchmakerClient of(List<URI> services, String name) {
    FaultTolerantGroup group = FaultTolerant.group(FaultTolerance.ofDefaults(services));
    MatchmakerPortType port =
        group.client(MatchmakerPortType.class, MatchmakerPortType.class.getResource("/wsdl/matchmaker.wsdl"));
    return new MatchmakerClient(port, name, () -> Breakdown.header((BindingProvider) port), group::close);
  }

  /** Advertises machines with these numbers, or renews their leases. */
  void advertise(int from, int below) throws IOException {
    for (int i = from; i < below; i++) {
      advertise("machine-" + i);
    }
  }

  private void advertise(String machine) throws IOException {
    try {
      port.machineAdvertise(machine, 2_000, 1_024, 100, "10.0.0.1", machine, null);
    } catch (InvalidRequest | LimitReached | MachineConflict e) {
      throw new IOException("The machine " + machine + " cannot be advertised: " + e.getMessage(), e);
    }
  }

  /**
   * Submits one job.
   *
   * @param allocated the machines that have jobs
   * @throws IOException when no machine is free, or the Matchmaker returns one that has a job
   */
  void submit(Set<String> allocated) throws IOException {
    String job = name + "-" + submitted;
    String machine;
    try {
      machine = port.jobSubmit(job, name, 1_000, 512, 10, 1).getResourceId();
    } catch (InvalidRequest | DuplicateJob | NoMatchingMachine | LimitReached e) {
      throw new IOException("The job " + job + " got no machine: " + e.getMessage(), e);
    }
    submitted++;
    jobs.add(job);
    if (!allocated.add(machine)) {
      throw new IOException("The machine " + machine + " was allocated to " + job + " while it had a job.");
    }
  }

  /**
   * Rounds of requests with pauses between them, in which the client uses its machines.
   *
   * @param longestNanos of a pause
   * @return the round trips
   */
  Samples rounds(int rounds, long longestNanos, Random random, Set<String> allocated) throws IOException, InterruptedException {
    Samples samples = new Samples();
    for (int round = 0; round < rounds; round++) {
      int requests = 1 + random.nextInt(Thesis.REQUESTS);
      for (int i = 0; i < requests; i++) {
        long begin = System.nanoTime();
        submit(allocated);
        long nanos = System.nanoTime() - begin;
        samples.add(nanos);
        breakdown.add(nanos, timing.get());
      }
      TimeUnit.NANOSECONDS.sleep((long) (random.nextDouble() * longestNanos));
    }
    return samples;
  }

  /** The parts of the round trips of all rounds since {@link #clearBreakdown}. */
  Breakdown breakdown() {
    return breakdown;
  }

  void clearBreakdown() {
    breakdown = new Breakdown();
  }

  /** Ends all jobs of this client. */
  void release() throws IOException {
    for (String job : jobs) {
      try {
        port.release(job, name);
      } catch (InvalidRequest | UnknownJob e) {
        throw new IOException("The job " + job + " cannot be released: " + e.getMessage(), e);
      }
    }
    jobs.clear();
  }

  /** @throws IOException when the client was not charged once for each of its jobs */
  void checkBalance() throws IOException {
    long balance;
    try {
      balance = port.balance(name);
    } catch (InvalidRequest e) {
      throw new IOException("The balance of " + name + " cannot be read: " + e.getMessage(), e);
    }
    if (balance != submitted) {
      throw new IOException(name + " owes " + balance + " after " + submitted + " allocations.");
    }
  }

  @Override
  public void close() {
    closing.run();
  }
}
