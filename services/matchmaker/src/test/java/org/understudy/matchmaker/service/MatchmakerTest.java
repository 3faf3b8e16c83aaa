package org.understudy.matchmaker.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.understudy.matchmaker.AllocatedMachine;
import org.understudy.matchmaker.DuplicateJob;
import org.understudy.matchmaker.InvalidRequest;
import org.understudy.matchmaker.LimitReached;
import org.understudy.matchmaker.MachineConflict;
import org.understudy.matchmaker.NoMatchingMachine;
import org.understudy.matchmaker.UnknownJob;

class MatchmakerTest {
  private MachineQueueState machines = new MachineQueueState();
  private final AccountSetState accounts = new AccountSetState();
  private FixedMatchmaker matchmaker = new FixedMatchmaker(machines, accounts, Policy.QUEUED);

  private void advertise(String id, String job) throws Exception {
    matchmaker.machineAdvertise(id, 1_000, 512, 100, "10.0.0." + id, "key-" + id, job);
  }

  private String submit(String job, String client) throws Exception {
    AllocatedMachine machine = matchmaker.jobSubmit(job, client, 500, 256, 10, 3);
    return machine == null ? null : machine.getResourceId();
  }

  /** The machines are lost, as where only the accounts are durable. */
  private void loseTheQueue() {
    long now = matchmaker.now;
    machines = new MachineQueueState();
    matchmaker = new FixedMatchmaker(machines, accounts, Policy.QUEUED);
    matchmaker.now = now;
  }

  @Test
  void queuedTakesTheMachineThatItHasChosenAndAnswersNothingWithoutOne() throws Exception {
    for (String id : List.of("1", "2", "3")) {
      advertise(id, null);
    }
    matchmaker.choice = 1;
    assertEquals("2", submit("a", "ann"));
    assertEquals("3", submit("b", "ann"));
    assertEquals("1", submit("c", "bob"));
    assertNull(submit("d", "bob"));
    assertEquals(3, matchmaker.choices);
    assertEquals(2, matchmaker.balance("ann"));
    assertEquals(1, matchmaker.balance("bob"));
    assertEquals(0, matchmaker.balance("carol"));
    // Nothing is remembered of a job that got no machine.
    matchmaker.release("a", "ann");
    assertEquals("2", submit("d", "bob"));
  }

  @Test
  void immediateTakesTheFirstMachineThatFitsOrFails() throws Exception {
    matchmaker = new FixedMatchmaker(machines, accounts, Policy.IMMEDIATE);
    matchmaker.choice = 1;
    matchmaker.machineAdvertise("small", 100, 512, 100, "10.0.0.9", "key", null);
    advertise("1", null);
    advertise("2", null);
    assertEquals("1", submit("a", "ann"));
    assertEquals("2", submit("b", "ann"));
    NoMatchingMachine fault = assertThrows(NoMatchingMachine.class, () -> submit("c", "ann"));
    assertTrue(fault.getFaultInfo().getMessage().contains("500 MHz"), fault.getFaultInfo().getMessage());
    assertEquals(0, matchmaker.choices);
    assertEquals(2, matchmaker.balance("ann"));
  }

  @Test
  void repeatedJobGetsItsMachineAndAnotherOneWithItsIdIsRefused() throws Exception {
    advertise("1", null);
    advertise("2", null);
    assertEquals("1", submit("a", "ann"));
    assertEquals("1", submit("a", "ann"));
    assertEquals(1, matchmaker.balance("ann"));
    assertThrows(DuplicateJob.class, () -> submit("a", "bob"));
    assertThrows(DuplicateJob.class, () -> matchmaker.jobSubmit("a", "ann", 501, 256, 10, 3));
    assertThrows(DuplicateJob.class, () -> matchmaker.jobSubmit("a", "ann", 500, 256, 10, 4));
    assertThrows(UnknownJob.class, () -> matchmaker.release("a", "bob"));
    assertThrows(UnknownJob.class, () -> matchmaker.release("b", "ann"));
    matchmaker.release("a", "ann");
    matchmaker.release("a", "ann");
    assertThrows(DuplicateJob.class, () -> submit("a", "ann"), "its machine may be another job's by now");
    assertEquals(1, matchmaker.balance("ann"));
  }

  @Test
  void advertisementRenewsTheLeaseAndNeverFreesAnAllocation() throws Exception {
    assertEquals(Matchmaker.LEASE_SECONDS, matchmaker.resourceAdvertise("1", 1_000, 512, 100, "10.0.0.1", "key-1", null));
    assertEquals("1", submit("a", "ann"));
    matchmaker.now += 50_000;
    advertise("1", null);
    assertNull(submit("b", "ann"));
    matchmaker.now += 50_000;
    assertNull(submit("b", "ann"));
    assertNotNull(machines.machine("1"), "renewed 50 s ago");
    matchmaker.now += 10_000;
    assertNull(submit("b", "ann"));
    assertNull(machines.machine("1"));
    // It returns, and the job that has it still has it.
    advertise("1", null);
    assertNull(submit("b", "ann"));
    assertEquals("1", submit("a", "ann"));
    matchmaker.release("a", "ann");
    assertEquals("1", submit("b", "ann"));
  }

  @Test
  void machineThatReportsAJobIsNotAllocated() throws Exception {
    advertise("1", null);
    assertEquals("1", submit("a", "ann"));
    advertise("1", "a");
    matchmaker.release("a", "ann");
    assertNull(submit("b", "ann"), "the machine works for a until it reports otherwise");
    advertise("1", null);
    assertEquals("1", submit("b", "ann"));
  }

  @Test
  void reconstructedQueueAllocatesNoMachineTwice() throws Exception {
    for (String id : List.of("1", "2", "3")) {
      advertise(id, null);
    }
    assertEquals("1", submit("a", "ann"));
    assertEquals("2", submit("b", "bob"));
    loseTheQueue();
    assertNull(submit("c", "ann"));
    advertise("1", "a");
    assertNull(submit("c", "ann"));
    advertise("3", null);
    assertEquals("3", submit("c", "ann"));
    advertise("2", "b");
    assertNull(submit("d", "ann"));
    // The jobs have their machines again, are not charged again, and release them.
    assertEquals("1", submit("a", "ann"));
    assertThrows(DuplicateJob.class, () -> submit("a", "bob"));
    assertThrows(DuplicateJob.class, () -> matchmaker.jobSubmit("b", "bob", 5_000, 256, 10, 3), "more than its machine has");
    assertEquals(2, matchmaker.balance("ann"));
    matchmaker.release("b", "bob");
    matchmaker.release("a", "ann");
    advertise("1", null);
    assertEquals("1", submit("d", "ann"));
  }

  @Test
  void jobThatGotAnotherMachineWhileTheQueueWasLostKeepsBothOccupied() throws Exception {
    advertise("1", null);
    assertEquals("1", submit("a", "ann"));
    loseTheQueue();
    advertise("2", null);
    assertEquals("2", submit("a", "ann"));
    advertise("1", "a");
    assertNull(submit("b", "bob"));
    assertEquals("2", submit("a", "ann"));
  }

  @Test
  void anotherMachineUnderTheSameIdIsRefused() throws Exception {
    advertise("1", null);
    MachineConflict conflict =
        assertThrows(MachineConflict.class, () -> matchmaker.machineAdvertise("1", 1_000, 512, 100, "10.0.0.7", "key-1", null));
    assertTrue(conflict.getFaultInfo().getMessage().contains("another machine"), conflict.getFaultInfo().getMessage());
    assertThrows(MachineConflict.class, () -> matchmaker.machineAdvertise("1", 1_000, 512, 100, "10.0.0.1", "key-7", null));
    assertEquals("1", submit("a", "ann"));
    matchmaker.now += 60_000;
    assertThrows(
        MachineConflict.class, () -> matchmaker.machineAdvertise("1", 1_000, 512, 100, "10.0.0.7", "key-7", null),
        "the job still has the machine");
    matchmaker.release("a", "ann");
    matchmaker.machineAdvertise("1", 1_000, 512, 100, "10.0.0.7", "key-7", null);
  }

  /** A database gives the jobs in the order of their beginning, and then those that have ended. */
  @Test
  void jobThatEndedBeforeKeepsNoMachineOfALaterOne() throws Exception {
    advertise("1", null);
    machines.insertJob("a", "ann", 500, 256, 10, 3, "1", "10.0.0.1", "key-1");
    machines.insertJob("b", "bob", 500, 256, 10, 3, "1", "10.0.0.1", "key-1");
    machines.endJob("a");
    assertEquals("b", machines.jobOn("1").jobId());
    assertNull(submit("c", "ann"));
    assertEquals("1", submit("b", "bob"));
  }

  @Test
  void whatAMachineHasMayChange() throws Exception {
    matchmaker.machineAdvertise("1", 100, 512, 100, "10.0.0.1", "key-1", null);
    assertNull(submit("a", "ann"));
    advertise("1", null);
    assertEquals("1", submit("a", "ann"));
  }

  @Test
  void invalidValuesChangeNothing() throws Exception {
    advertise("1", null);
    List<Executable> requests = new ArrayList<>();
    requests.add(() -> matchmaker.jobSubmit("a", "ann", -1, 256, 10, 3));
    requests.add(() -> matchmaker.jobSubmit("a", "ann", 500, -256, 10, 3));
    requests.add(() -> matchmaker.jobSubmit("a", "ann", 500, 256, -10, 3));
    requests.add(() -> matchmaker.jobSubmit("a", "ann", 500, 256, 10, -1));
    requests.add(() -> matchmaker.jobSubmit("a", "ann", 500, 256, 10, 10));
    requests.add(() -> matchmaker.jobSubmit(null, "ann", 500, 256, 10, 3));
    requests.add(() -> matchmaker.jobSubmit("a", " ", 500, 256, 10, 3));
    requests.add(() -> matchmaker.jobSubmit("a".repeat(257), "ann", 500, 256, 10, 3));
    requests.add(() -> matchmaker.machineAdvertise(null, 1, 1, 1, "10.0.0.2", "key", null));
    requests.add(() -> matchmaker.machineAdvertise("2", -1, 1, 1, "10.0.0.2", "key", null));
    requests.add(() -> matchmaker.machineAdvertise("2", 1, 1, 1, null, "key", null));
    requests.add(() -> matchmaker.machineAdvertise("2", 1, 1, 1, "10.0.0.2", null, null));
    requests.add(() -> matchmaker.machineAdvertise("2", 1, 1, 1, "10.0.0.2", "key", ""));
    requests.add(() -> matchmaker.release("a", null));
    requests.add(() -> matchmaker.balance(null));
    for (Executable request : requests) {
      InvalidRequest fault = assertThrows(InvalidRequest.class, request);
      assertNotNull(fault.getFaultInfo().getMessage());
    }
    assertEquals(1, machines.machineCount());
    assertEquals(0, machines.jobCount());
    assertEquals(0, accounts.size());
  }

  @Test
  void memoryIsBounded() throws Exception {
    for (int i = 0; i < Matchmaker.MAX_ENDED_JOBS + 2; i++) {
      machines.insertJob("old-" + i, "ann", 1, 1, 1, 1, "none", "none", "none");
      machines.endJob("old-" + i);
    }
    advertise("1", null);
    assertEquals("1", submit("a", "ann"));
    matchmaker.release("a", "ann");
    assertEquals(Matchmaker.MAX_ENDED_JOBS, machines.jobCount());
    assertNull(machines.job("old-2"));
    assertNotNull(machines.job("old-3"));
    for (int i = machines.jobCount(); i < Matchmaker.MAX_JOBS; i++) {
      machines.insertJob("running-" + i, "ann", 1, 1, 1, 1, "machine-" + i, "none", "none");
    }
    assertThrows(LimitReached.class, () -> submit("b", "ann"));
    assertThrows(LimitReached.class, () -> advertise("2", "unknown"));
    for (int i = 1; i < Matchmaker.MAX_MACHINES; i++) {
      machines.insertMachine("machine-" + i, 1, 1, 1, "none", "none", null, Long.MAX_VALUE);
    }
    assertThrows(LimitReached.class, () -> advertise("3", null));
    advertise("1", null);
    for (int i = accounts.size(); i < Matchmaker.MAX_CLIENTS; i++) {
      accounts.insertBill("client-" + i, 1);
    }
    machines.removeJob("old-3");
    machines.removeJob("old-4");
    assertThrows(LimitReached.class, () -> submit("b", "new"));
    assertEquals("1", submit("b", "ann"));
  }

  /** Replicas that apply the same updates agree, whatever the execution has chosen. */
  @Test
  void equalUpdatesLeadToEqualStates() throws Exception {
    MachineQueueState other = new MachineQueueState();
    Recorder recorder = new Recorder(machines, other);
    matchmaker = new FixedMatchmaker(recorder.queue(), accounts, Policy.QUEUED);
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      matchmaker.choice = random.nextInt(1_000);
      matchmaker.now += random.nextInt(3_000);
      String machine = Integer.toString(random.nextInt(20));
      String job = Integer.toString(random.nextInt(200));
      try {
        switch (random.nextInt(4)) {
          case 0 -> submit(job, "ann");
          case 1 -> matchmaker.release(job, "ann");
          default -> advertise(machine, random.nextInt(4) == 0 ? job : null);
        }
      } catch (DuplicateJob | UnknownJob e) {
        // Part of the load.
      }
      assertEquals(describe(machines), describe(other));
    }
    assertTrue(recorder.updates() > 1_000, () -> recorder.updates() + " updates");
    assertTrue(machines.jobCount() > 50, () -> machines.jobCount() + " jobs");
  }

  private static String describe(MachineQueueState queue) {
    StringBuilder text = new StringBuilder(queue.machines().toString());
    for (int i = 0; i < 200; i++) {
      text.append(queue.job(Integer.toString(i)));
    }
    for (int i = 0; i < 20; i++) {
      text.append(queue.jobOn(Integer.toString(i)));
    }
    return text + queue.eldestEndedJob(0);
  }
}
