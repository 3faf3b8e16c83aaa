package org.understudy.lab.demo;

import java.net.URL;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.matchmaker.AllocatedMachine;
import org.understudy.matchmaker.MatchmakerPortType;

/**
 * Each client is a machine too, which advertises itself, and submits jobs one after another. No machine may have two jobs at once, a
 * repeated job gets its machine again, and in the end each client owes what it was allocated.
 */
final class MatchmakerWorkload implements Workload {
  private static final int JOBS_PER_ADVERTISEMENT = 50;
  private static final int JOBS_PER_REPETITION = 7;

  /** The jobs that have machines, as their clients know it, by the ids of the machines. */
  private final Map<String, String> jobs = new ConcurrentHashMap<>();

  @Override
  public String service() {
    return "matchmaker";
  }

  @Override
  public String endpoint() {
    return "MatchmakerService";
  }

  @Override
  public void run(int client, FaultTolerantGroup group, Account account, BooleanSupplier stopped) throws Exception {
    URL contract = MatchmakerPortType.class.getResource("/wsdl/matchmaker.wsdl");
    MatchmakerPortType port = group.client(MatchmakerPortType.class, contract);
    String name = "client-" + client;
    String own = "machine-" + client;
    int allocations = 0;
    for (int i = 0; !stopped.getAsBoolean(); i++) {
      if (i % JOBS_PER_ADVERTISEMENT == 0) {
        port.machineAdvertise(own, 2_000, 1_024, 100, "10.0.0." + client, "key-" + client, jobs.get(own));
      }
      String job = name + "-" + i;
      long begin = System.nanoTime();
      AllocatedMachine machine = submit(port, job, name);
      if (machine == null) {
        // Every free machine reports a job; its next advertisement corrects that.
        continue;
      }
      account.add(1, ++allocations, System.nanoTime() - begin);
      String id = machine.getResourceId();
      String other = jobs.putIfAbsent(id, job);
      if (other != null) {
        account.violation("The machine " + id + " was allocated to " + job + " and to " + other + " at once.");
      }
      AllocatedMachine again = i % JOBS_PER_REPETITION == 0 ? submit(port, job, name) : machine;
      if (again == null || !again.getResourceId().equals(id)) {
        account.violation("The job " + job + " was answered twice, with different machines.");
      }
      jobs.remove(id, job);
      port.release(job, name);
    }
    account.add(0, (int) port.balance(name), 0);
  }

  private static AllocatedMachine submit(MatchmakerPortType port, String job, String client) throws Exception {
    return port.jobSubmit(job, client, 1_000, 512, 10, 1);
  }
}
