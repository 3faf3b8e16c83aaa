package org.understudy.matchmaker.service;

/**
 * A machine as it has advertised itself last.
 *
 * @param resourceId unique among the machines
 * @param identification the capability with which a job may use the machine
 * @param reportedJob the job for which the machine works, as it reports itself; null if it reports that it is free
 * @param leaseEnds in milliseconds since 1970, by the clock of the replica that executed the advertisement
 */
public record AdvertisedMachine(
    String resourceId,
    int cpuMhz,
    int memoryMb,
    int diskMb,
    String ipAddress,
    String identification,
    String reportedJob,
    long leaseEnds) {
  /** Whether the machine has at least these resources. */
  public boolean satisfies(int cpu, int memory, int disk) {
    return cpuMhz >= cpu && memoryMb >= memory && diskMb >= disk;
  }

  /** Whether an advertisement with this address and identification comes from this machine. */
  public boolean is(String address, String capability) {
    return ipAddress.equals(address) && identification.equals(capability);
  }
}
