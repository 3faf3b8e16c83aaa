package org.understudy.lab.durability;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.understudy.matchmaker.AllocatedMachine;
import org.understudy.matchmaker.MatchmakerPortType;
import org.understudy.matchmaker.NoMatchingMachine;

/** A Matchmaker in memory, without a network, that keeps what the bench checks, unless a test asks for a violation. */
final class OneMatchmaker implements MatchmakerPortType {
  private final Deque<String> free = new ArrayDeque<>();
  private final Set<String> known = new LinkedHashSet<>();
  private final Map<String, String> machines = new HashMap<>();
  private final Map<String, Long> balances = new HashMap<>();
  private final boolean allocatesTwice;
  private final int price;

  OneMatchmaker(boolean allocatesTwice, int price) {
    this.allocatesTwice = allocatesTwice;
    this.price = price;
  }

  @Override
  public int resourceAdvertise(String id, int cpu, int memory, int disk, String address, String identification, String job) {
    return machineAdvertise(id, cpu, memory, disk, address, identification, job);
  }

  @Override
  public synchronized int machineAdvertise(
      String id, int cpu, int memory, int disk, String address, String identification, String job) {
    if (known.add(id)) {
      free.add(id);
    }
    return 60;
  }

  @Override
  public synchronized AllocatedMachine jobSubmit(String job, String client, int cpu, int memory, int disk, int priority)
      throws NoMatchingMachine {
    if (free.isEmpty()) {
      throw new NoMatchingMachine("No machine is free.", (Throwable) null);
    }
    String machine = allocatesTwice ? free.peek() : free.poll();
    machines.put(job, machine);
    balances.merge(client, (long) price, Long::sum);
    AllocatedMachine allocated = new AllocatedMachine();
    allocated.setResourceId(machine);
    return allocated;
  }

  @Override
  public synchronized void release(String job, String client) {
    free.add(machines.remove(job));
  }

  @Override
  public synchronized long balance(String client) {
    return balances.getOrDefault(client, 0L);
  }
}
