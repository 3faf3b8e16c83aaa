package org.understudy.matchmaker.service;

import java.util.List;

/**
 * The machines that advertise themselves, and the jobs that have them. A state object: each update changes one entry and depends
 * on nothing but its arguments and the state, so that equal updates in an equal order lead to equal states.
 *
 * <p>Decisions are made by the caller: it chooses machines, reads the clock and enforces limits. Not thread-safe.
 */
public interface MachineQueue {
  /** The machine with this id; null if there is none. */
  AdvertisedMachine machine(String resourceId);

  /** All machines, in the order of their first advertisement. */
  List<AdvertisedMachine> machines();

  /** The number of machines. */
  int machineCount();

  /**
   * The machines that have at least these resources, are allocated to no job and report none, in the order of their first
   * advertisement.
   */
  List<AdvertisedMachine> available(int cpuMhz, int memoryMb, int diskMb);

  /** The ids of the machines whose leases end at this time or earlier, in the order of their first advertisement. */
  List<String> expired(long now);

  /** The job with this id, also if it has ended; null if there is none. */
  Job job(String jobId);

  /** The job to which a machine is allocated; null if there is none. The machine's lease may have ended. */
  Job jobOn(String resourceId);

  /** The number of jobs, ended ones included. */
  int jobCount();

  /** The id of the job that ended first; null if no more than {@code kept} jobs have ended. */
  String eldestEndedJob(int kept);

  /** Adds a machine; the id must be unused. */
  void insertMachine(
      String resourceId,
      int cpuMhz,
      int memoryMb,
      int diskMb,
      String ipAddress,
      String identification,
      String reportedJob,
      long leaseEnds);

  /** Replaces what may change from one advertisement of a machine to the next. */
  void renewMachine(String resourceId, int cpuMhz, int memoryMb, int diskMb, String reportedJob, long leaseEnds);

  /** Removes a machine. A job that has it keeps it. */
  void removeMachine(String resourceId);

  /** Adds a job that has a machine; the job id must be unused, and no other job has the machine. */
  void insertJob(
      String jobId,
      String clientId,
      int cpuMhz,
      int memoryMb,
      int diskMb,
      int priority,
      String resourceId,
      String ipAddress,
      String identification);

  /** Ends a job that has a machine, so that the machine is free. */
  void endJob(String jobId);

  /** Removes a job; if it has a machine, the machine is free. */
  void removeJob(String jobId);
}
