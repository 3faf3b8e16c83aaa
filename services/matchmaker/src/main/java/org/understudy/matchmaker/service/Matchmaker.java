package org.understudy.matchmaker.service;

import jakarta.jws.WebService;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.understudy.matchmaker.AllocatedMachine;
import org.understudy.matchmaker.DuplicateJob;
import org.understudy.matchmaker.InvalidRequest;
import org.understudy.matchmaker.LimitReached;
import org.understudy.matchmaker.MachineConflict;
import org.understudy.matchmaker.MatchmakerPortType;
import org.understudy.matchmaker.NoMatchingMachine;
import org.understudy.matchmaker.UnknownJob;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.Topics;
import org.understudy.replication.api.property.ResourceProperties;
import org.understudy.replication.api.property.ResourceProperty;
import org.w3c.dom.Element;

/**
 * The Matchmaker: gives each job one of the machines that advertise themselves, and charges its client. Its state is in two objects
 * that it gets from outside. All that another execution could decide otherwise, the choice among suitable machines and the time, is
 * decided here and passed to them as an argument.
 *
 * <p>One operation at a time uses an object of this class.
 */
@WebService(
    endpointInterface = "org.understudy.matchmaker.MatchmakerPortType",
    targetNamespace = Messages.NAMESPACE,
    serviceName = "MatchmakerService",
    portName = "MatchmakerPort",
    wsdlLocation = "classpath:wsdl/matchmaker.wsdl")
@ResourceProperties(namespace = Messages.NAMESPACE, document = "MatchmakerProperties")
@Topics(
    namespace = Messages.NAMESPACE,
    value = {"MachineAdvertised", "MachineReleased", "MachineExpired", "JobAllocated"})
public class Matchmaker implements MatchmakerPortType {
  /** For how long an advertisement is valid. */
  static final int LEASE_SECONDS = 60;
  /** What one allocation costs. */
  static final long PRICE = 1;
  static final int MAX_MACHINES = 10_000;
  static final int MAX_JOBS = 20_000;
  /** Ended jobs whose ids are still known; those of earlier ones can be used again. */
  static final int MAX_ENDED_JOBS = 10_000;
  static final int MAX_CLIENTS = 100_000;

  private static final int MAX_PRIORITY = 9;

  private final MachineQueue machines;
  private final AccountSet accounts;
  private final transient Policy policy;
  /** Null without topics. */
  private final transient ResourceHome<?> topics;

  /** A Matchmaker with the configured policy that publishes on no topic. */
  public Matchmaker(MachineQueue machines, AccountSet accounts) {
    this(machines, accounts, Policy.configured(), null);
  }

  /** A Matchmaker with the configured policy. */
  public Matchmaker(MachineQueue machines, AccountSet accounts, ResourceHome<?> topics) {
    this(machines, accounts, Policy.configured(), topics);
  }

  /** @param topics where changes are published; null for nowhere */
  protected Matchmaker(MachineQueue machines, AccountSet accounts, Policy policy, ResourceHome<?> topics) {
    this.machines = machines;
    this.accounts = accounts;
    this.policy = policy;
    this.topics = topics;
  }

  @Override
  public int resourceAdvertise(
      String resourceId, int cpuMhz, int memoryMb, int diskMb, String ipAddress, String identification, String jobId)
      throws InvalidRequest, LimitReached, MachineConflict {
    return machineAdvertise(resourceId, cpuMhz, memoryMb, diskMb, ipAddress, identification, jobId);
  }

  @Override
  public int machineAdvertise(
      String resourceId, int cpuMhz, int memoryMb, int diskMb, String ipAddress, String identification, String jobId)
      throws InvalidRequest, LimitReached, MachineConflict {
    Faults.requireText("resourceId", resourceId);
    requireResources(cpuMhz, memoryMb, diskMb);
    Faults.requireText("ipAddress", ipAddress);
    Faults.requireText("identification", identification);
    if (jobId != null) {
      Faults.requireText("jobId", jobId);
    }
    long now = now();
    expire(now);
    AdvertisedMachine known = machines.machine(resourceId);
    requireSame(resourceId, known, ipAddress, identification);
    boolean adopted = jobId != null && machines.job(jobId) == null && machines.jobOn(resourceId) == null;
    if (known == null && machines.machineCount() >= MAX_MACHINES) {
      throw Faults.limit("The Matchmaker has " + MAX_MACHINES + " machines and takes no more. Advertise later.");
    }
    if (adopted) {
      requireRoomForJob();
    }
    long leaseEnds = now + TimeUnit.SECONDS.toMillis(LEASE_SECONDS);
    if (known == null) {
      machines.insertMachine(resourceId, cpuMhz, memoryMb, diskMb, ipAddress, identification, jobId, leaseEnds);
    } else {
      machines.renewMachine(resourceId, cpuMhz, memoryMb, diskMb, jobId, leaseEnds);
    }
    if (adopted) {
      // The queue has been lost since the allocation: the machine brings it back.
      machines.insertJob(jobId, "", 0, 0, 0, 0, resourceId, ipAddress, identification);
    }
    publish("MachineAdvertised", machines.machine(resourceId));
    return LEASE_SECONDS;
  }

  private void requireSame(String resourceId, AdvertisedMachine known, String ipAddress, String identification)
      throws MachineConflict {
    if (known != null && !known.is(ipAddress, identification)) {
      throw Faults.conflict(
          "The resourceId " + resourceId + " belongs to another machine, whose lease ends at " + Instant.ofEpochMilli(known.leaseEnds())
              + " unless it advertises itself again. Nothing was changed. Use another resourceId.");
    }
    Job job = machines.jobOn(resourceId);
    if (job != null && !(job.ipAddress().equals(ipAddress) && job.identification().equals(identification))) {
      throw Faults.conflict(
          "The resourceId " + resourceId + " belongs to another machine, which is allocated to the job " + job.jobId()
              + ". Nothing was changed. Use another resourceId, or release the job.");
    }
  }

  @Override
  public AllocatedMachine jobSubmit(String jobId, String clientId, int cpuMhz, int memoryMb, int diskMb, int priority)
      throws InvalidRequest, DuplicateJob, NoMatchingMachine, LimitReached {
    Faults.requireText("jobId", jobId);
    Faults.requireText("clientId", clientId);
    requireResources(cpuMhz, memoryMb, diskMb);
    Faults.requireRange("priority", priority, MAX_PRIORITY);
    expire(now());
    Job known = machines.job(jobId);
    if (known != null) {
      return repeated(known, clientId, cpuMhz, memoryMb, diskMb, priority);
    }
    List<AdvertisedMachine> suitable = machines.available(cpuMhz, memoryMb, diskMb);
    if (suitable.isEmpty()) {
      if (policy == Policy.QUEUED) {
        return null;
      }
      throw Faults.noMatch(
          "No free machine has " + cpuMhz + " MHz, " + memoryMb + " MB of memory and " + diskMb
              + " MB of disk. Nothing was changed. Submit the job again later.");
    }
    requireRoomForJob();
    if (!accounts.contains(clientId) && accounts.size() >= MAX_CLIENTS) {
      throw Faults.limit("The Matchmaker has accounts of " + MAX_CLIENTS + " clients and opens no more. Nothing was changed.");
    }
    AdvertisedMachine chosen = suitable.get(policy == Policy.QUEUED ? choose(suitable.size()) : 0);
    machines.insertJob(
        jobId, clientId, cpuMhz, memoryMb, diskMb, priority, chosen.resourceId(), chosen.ipAddress(), chosen.identification());
    charge(clientId);
    if (topics != null) {
      topics.publish("JobAllocated", Messages.allocation(jobId, clientId, chosen.resourceId()));
    }
    return allocated(machines.job(jobId));
  }

  /** Answers a request with a job id that is known. */
  private AllocatedMachine repeated(Job job, String clientId, int cpuMhz, int memoryMb, int diskMb, int priority)
      throws DuplicateJob {
    if (job.ended()) {
      throw Faults.duplicate("The job " + job.jobId() + " has ended: its machine was released. Submit it under a new job id.");
    }
    if (job.isReported()) {
      AdvertisedMachine machine = machines.machine(job.resourceId());
      if (machine != null && machine.satisfies(cpuMhz, memoryMb, diskMb)) {
        // The allocation is that of before the queue was lost, and was charged then.
        machines.removeJob(job.jobId());
        machines.insertJob(
            job.jobId(), clientId, cpuMhz, memoryMb, diskMb, priority, job.resourceId(), job.ipAddress(), job.identification());
        return allocated(job);
      }
    } else if (job.isOf(clientId, cpuMhz, memoryMb, diskMb, priority)) {
      return allocated(job);
    }
    throw Faults.duplicate(
        "The job id " + job.jobId() + " belongs to another request. Nothing was changed. Submit the job under another id.");
  }

  @Override
  public void release(String jobId, String clientId) throws InvalidRequest, UnknownJob {
    Faults.requireText("jobId", jobId);
    Faults.requireText("clientId", clientId);
    expire(now());
    Job job = machines.job(jobId);
    if (job == null || !(job.isReported() || job.clientId().equals(clientId))) {
      throw Faults.unknown("The client " + clientId + " has no job " + jobId + ". Nothing was released.");
    }
    if (job.ended()) {
      return;
    }
    machines.endJob(jobId);
    for (String old = machines.eldestEndedJob(MAX_ENDED_JOBS); old != null; old = machines.eldestEndedJob(MAX_ENDED_JOBS)) {
      machines.removeJob(old);
    }
    publish("MachineReleased", machines.machine(job.resourceId()));
  }

  @Override
  @Read
  public long balance(String clientId) throws InvalidRequest {
    Faults.requireText("clientId", clientId);
    return accounts.balance(clientId);
  }

  /** All machines as a resource property. Those whose lease has ended are there until the next operation. */
  @ResourceProperty("Machine")
  public List<Element> machines() {
    return machines.machines().stream().map(machine -> Messages.machine(machine, jobOf(machine))).toList();
  }

  /** The number of machines that are allocated to no job and report none. */
  @ResourceProperty("FreeMachines")
  public int freeMachines() {
    return machines.available(0, 0, 0).size();
  }

  @ResourceProperty("Policy")
  public String policy() {
    return policy.toString();
  }

  private String jobOf(AdvertisedMachine machine) {
    Job job = machines.jobOn(machine.resourceId());
    return job == null ? machine.reportedJob() : job.jobId();
  }

  private static AllocatedMachine allocated(Job job) {
    AllocatedMachine machine = new AllocatedMachine();
    machine.setResourceId(job.resourceId());
    machine.setIpAddress(job.ipAddress());
    machine.setIdentification(job.identification());
    return machine;
  }

  private void charge(String clientId) {
    if (accounts.contains(clientId)) {
      accounts.setBill(Math.addExact(accounts.balance(clientId), PRICE), clientId);
    } else {
      accounts.insertBill(clientId, PRICE);
    }
  }

  /** Removes the machines whose leases have ended. Every update begins with this, so one execution decides for all replicas. */
  private void expire(long now) {
    for (String resourceId : machines.expired(now)) {
      publish("MachineExpired", machines.machine(resourceId));
      machines.removeMachine(resourceId);
    }
  }

  private static void requireResources(int cpuMhz, int memoryMb, int diskMb) throws InvalidRequest {
    Faults.requireRange("cpuMhz", cpuMhz, Integer.MAX_VALUE);
    Faults.requireRange("memoryMb", memoryMb, Integer.MAX_VALUE);
    Faults.requireRange("diskMb", diskMb, Integer.MAX_VALUE);
  }

  private void requireRoomForJob() throws LimitReached {
    if (machines.jobCount() >= MAX_JOBS) {
      throw Faults.limit(
          "The Matchmaker has " + MAX_JOBS + " jobs and takes no more. Nothing was changed. Release jobs that have ended.");
    }
  }

  /** @param machine null to publish nothing */
  private void publish(String topic, AdvertisedMachine machine) {
    if (topics != null && machine != null) {
      topics.publish(topic, Messages.machine(machine, jobOf(machine)));
    }
  }

  /** The time in milliseconds since 1970. */
  protected long now() {
    return System.currentTimeMillis();
  }

  /** Chooses a number from 0 to one below the bound. */
  protected int choose(int bound) {
    return ThreadLocalRandom.current().nextInt(bound);
  }
}
