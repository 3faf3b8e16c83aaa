package org.understudy.matchmaker.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A {@link MachineQueue} in memory. */
public final class MachineQueueState implements MachineQueue {
  private final Map<String, AdvertisedMachine> machines = new LinkedHashMap<>();
  /** Jobs that have a machine, by their ids. */
  private final Map<String, Job> running = new LinkedHashMap<>();
  /** In the order in which they have ended. */
  private final Map<String, Job> ended = new LinkedHashMap<>();
  /** The ids of running jobs by the ids of their machines. */
  private final Map<String, String> allocations = new LinkedHashMap<>();

  @Override
  public AdvertisedMachine machine(String resourceId) {
    return machines.get(resourceId);
  }

  @Override
  public List<AdvertisedMachine> machines() {
    return List.copyOf(machines.values());
  }

  @Override
  public int machineCount() {
    return machines.size();
  }

  @Override
  public List<AdvertisedMachine> available(int cpuMhz, int memoryMb, int diskMb) {
    return machines.values().stream()
        .filter(machine -> machine.reportedJob() == null && machine.satisfies(cpuMhz, memoryMb, diskMb))
        .filter(machine -> !allocations.containsKey(machine.resourceId()))
        .toList();
  }

  @Override
  public List<String> expired(long now) {
    return machines.values().stream().filter(machine -> machine.leaseEnds() <= now).map(AdvertisedMachine::resourceId).toList();
  }

  @Override
  public Job job(String jobId) {
    Job job = running.get(jobId);
    return job == null ? ended.get(jobId) : job;
  }

  @Override
  public Job jobOn(String resourceId) {
    return running.get(allocations.get(resourceId));
  }

  @Override
  public int jobCount() {
    return running.size() + ended.size();
  }

  @Override
  public String eldestEndedJob(int kept) {
    return ended.size() <= kept ? null : ended.keySet().iterator().next();
  }

  @Override
  public void insertMachine(
      String resourceId,
      int cpuMhz,
      int memoryMb,
      int diskMb,
      String ipAddress,
      String identification,
      String reportedJob,
      long leaseEnds) {
    machines.put(
        resourceId,
        new AdvertisedMachine(resourceId, cpuMhz, memoryMb, diskMb, ipAddress, identification, reportedJob, leaseEnds));
  }

  @Override
  public void renewMachine(String resourceId, int cpuMhz, int memoryMb, int diskMb, String reportedJob, long leaseEnds) {
    machines.computeIfPresent(
        resourceId,
        (id, known) ->
            new AdvertisedMachine(
                id, cpuMhz, memoryMb, diskMb, known.ipAddress(), known.identification(), reportedJob, leaseEnds));
  }

  @Override
  public void removeMachine(String resourceId) {
    machines.remove(resourceId);
  }

  @Override
  public void insertJob(
      String jobId,
      String clientId,
      int cpuMhz,
      int memoryMb,
      int diskMb,
      int priority,
      String resourceId,
      String ipAddress,
      String identification) {
    running.put(
        jobId, new Job(jobId, clientId, cpuMhz, memoryMb, diskMb, priority, resourceId, ipAddress, identification, false));
    allocations.put(resourceId, jobId);
  }

  @Override
  public void endJob(String jobId) {
    Job job = running.remove(jobId);
    if (job != null) {
      allocations.remove(job.resourceId(), jobId);
      ended.put(jobId, job.asEnded());
    }
  }

  @Override
  public void removeJob(String jobId) {
    Job job = running.remove(jobId);
    if (job != null) {
      allocations.remove(job.resourceId(), jobId);
    }
    ended.remove(jobId);
  }
}
