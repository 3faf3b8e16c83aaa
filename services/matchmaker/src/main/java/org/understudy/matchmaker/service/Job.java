package org.understudy.matchmaker.service;

/**
 * A job that has a machine, or had one. The requirements are kept to recognise a repeated request, and the address to answer it
 * when the machine's lease has ended.
 *
 * @param clientId empty if the job is known only because its machine reports it
 * @param ended whether the machine has been released
 */
public record Job(
    String jobId,
    String clientId,
    int cpuMhz,
    int memoryMb,
    int diskMb,
    int priority,
    String resourceId,
    String ipAddress,
    String identification,
    boolean ended) {
  /** Whether a request for the job has this client and these requirements. */
  public boolean isOf(String client, int cpu, int memory, int disk, int itsPriority) {
    return clientId.equals(client) && cpuMhz == cpu && memoryMb == memory && diskMb == disk && priority == itsPriority;
  }

  /** Whether the job's client is unknown, because only its machine has reported it. */
  public boolean isReported() {
    return clientId.isEmpty();
  }

  Job asEnded() {
    return new Job(jobId, clientId, cpuMhz, memoryMb, diskMb, priority, resourceId, ipAddress, identification, true);
  }
}
