package org.understudy.matchmaker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.client.FaultTolerant;
import org.understudy.matchmaker.AllocatedMachine;
import org.understudy.matchmaker.DuplicateJob;
import org.understudy.matchmaker.InvalidRequest;
import org.understudy.matchmaker.MachineConflict;
import org.understudy.matchmaker.MatchmakerPortType;
import org.understudy.matchmaker.UnknownJob;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/** The service in a container, by its contract. One test after another uses the same group, with machines of its own. */
class MatchmakerHttpTest {
  private static final String SERVICE = "/services/TestedMatchmaker";
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String CONCRETE = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete";

  @TempDir static Path directory;
  private static TestCluster cluster;
  private static MatchmakerPortType matchmaker;

  @BeforeAll
  static void open() throws Exception {
    cluster = new TestCluster(directory, new MatchmakerApplication(), 1, Map.of());
    matchmaker =
        FaultTolerant.client(
            MatchmakerPortType.class, cluster.uri(1, SERVICE + "?wsdl").toURL(), List.of(cluster.uri(1, SERVICE)));
  }

  @AfterAll
  static void close() throws Exception {
    FaultTolerant.close(matchmaker);
    cluster.close();
  }

  /** The leases of all machines end, so that a test sees only its own. */
  @BeforeEach
  void expireAll() {
    TestedMatchmaker.AHEAD_MS.addAndGet(60_000);
  }

  private static void advertise(String id, String job) throws Exception {
    matchmaker.machineAdvertise(id, 1_000, 512, 100, "10.0.0.1", "key-" + id, job);
  }

  private static String submit(String job) throws Exception {
    AllocatedMachine machine = matchmaker.jobSubmit(job, "ann", 500, 256, 10, 3);
    return machine == null ? null : machine.getResourceId();
  }

  private static Answer post(String body) {
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>" + body + "</e:Body></e:Envelope>";
    return cluster.post(1, SERVICE, envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  private static String property(String name) {
    return post("<rp:GetResourceProperty xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\" xmlns:m=\"urn:understudy:matchmaker:1\">m:"
        + name + "</rp:GetResourceProperty>").body();
  }

  private static String current(String topic) {
    return post("<w:GetCurrentMessage xmlns:w=\"" + WSNT + "\"><w:Topic Dialect=\"" + CONCRETE
        + "\" xmlns:m=\"urn:understudy:matchmaker:1\">m:" + topic + "</w:Topic></w:GetCurrentMessage>").body();
  }

  @Test
  void jobGetsAMachineAndItsClientABill() throws Exception {
    assertEquals(60, matchmaker.resourceAdvertise("m1", 1_000, 512, 100, "10.0.0.1", "key-m1", null));
    long before = matchmaker.balance("ann");
    AllocatedMachine machine = matchmaker.jobSubmit("j1", "ann", 500, 256, 10, 3);
    assertEquals("m1", machine.getResourceId());
    assertEquals("10.0.0.1", machine.getIpAddress());
    assertEquals("key-m1", machine.getIdentification());
    assertNull(submit("j2"));
    assertEquals(before + 1, matchmaker.balance("ann"));
    matchmaker.release("j1", "ann");
    assertEquals("m1", submit("j2"));
    assertEquals(before + 2, matchmaker.balance("ann"));
  }

  @Test
  void eachErrorIsADeclaredFault() throws Exception {
    advertise("m2", null);
    assertEquals("m2", submit("j3"));
    InvalidRequest negative = assertThrows(InvalidRequest.class, () -> matchmaker.jobSubmit("j4", "ann", -1, 1, 1, 1));
    assertEquals("The cpuMhz is a number from 0 to 2147483647, not -1. Nothing was changed.", negative.getFaultInfo().getMessage());
    assertThrows(InvalidRequest.class, () -> matchmaker.jobSubmit(null, "ann", 1, 1, 1, 1));
    assertThrows(InvalidRequest.class, () -> matchmaker.machineAdvertise("m3", 1, 1, 1, null, "key", null));
    assertThrows(DuplicateJob.class, () -> matchmaker.jobSubmit("j3", "bob", 500, 256, 10, 3));
    assertThrows(MachineConflict.class, () -> matchmaker.machineAdvertise("m2", 1, 1, 1, "10.0.0.2", "key", null));
    assertThrows(UnknownJob.class, () -> matchmaker.release("j3", "bob"));
    assertEquals("m2", submit("j3"));
    String missing =
        post("<jobSubmit xmlns=\"urn:understudy:matchmaker:1\"><jobId>j5</jobId><clientId>ann</clientId><cpuMhz>1</cpuMhz>"
            + "<memoryMb>1</memoryMb><diskMb>1</diskMb></jobSubmit>").text();
    assertTrue(missing.contains("Fault") && missing.contains("priority"), missing);
  }

  @Test
  void changesAreVisibleAsPropertiesAndTopics() throws Exception {
    advertise("m4", null);
    String machines = property("Machine");
    assertTrue(machines.contains(">m4<"), machines);
    assertFalse(machines.contains("key-m4") || machines.contains("jobId"), machines);
    assertTrue(property("FreeMachines").contains(">1<"), property("FreeMachines"));
    assertTrue(property("Policy").contains(">queued<"), property("Policy"));
    assertTrue(current("MachineAdvertised").contains(">m4<"), current("MachineAdvertised"));
    assertEquals("m4", submit("j6"));
    assertTrue(current("JobAllocated").contains(">j6<"), current("JobAllocated"));
    assertTrue(property("Machine").contains(">j6<"), property("Machine"));
    matchmaker.release("j6", "ann");
    assertTrue(current("MachineReleased").contains(">m4<"), current("MachineReleased"));
    TestedMatchmaker.AHEAD_MS.addAndGet(60_000);
    assertNull(submit("j7"));
    assertTrue(current("MachineExpired").contains(">m4<"), current("MachineExpired"));
    assertFalse(property("Machine").contains(">m4<"), property("Machine"));
    assertNotNull(current("MachineAdvertised"));
  }

  @Test
  void waitingJobsAreExecutedByPriorityAndThenInOrder() throws Exception {
    advertise("m5", null);
    advertise("m6", null);
    advertise("m7", null);
    TestedMatchmaker.HOLD.set(true);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Future<String> first = threads.submit(() -> submit("first"));
      assertTrue(TestedMatchmaker.CHOOSING.tryAcquire(30, TimeUnit.SECONDS), "no choice begins");
      Future<String> low = waiting(threads, 2, () -> submit("low", 1));
      Future<String> middle = waiting(threads, 3, () -> submit("middle", 5));
      Future<String> high = waiting(threads, 4, () -> submit("high", 9));
      Future<String> second = waiting(threads, 5, () -> submit("second", 5));
      // Without a priority: before the jobs.
      Future<String> machine =
          waiting(threads, 6, () -> {
            advertise("m8", null);
            return "advertised";
          });
      TestedMatchmaker.GO.release();
      for (Future<String> served : List.of(first, machine, high, middle, second)) {
        assertNotNull(served.get(30, TimeUnit.SECONDS));
      }
      assertNull(low.get(30, TimeUnit.SECONDS), "five jobs, four machines");
    } finally {
      TestedMatchmaker.GO.drainPermits();
      threads.shutdownNow();
    }
  }

  private static String submit(String job, int priority) throws Exception {
    AllocatedMachine machine = matchmaker.jobSubmit(job, "ann", 500, 256, 10, priority);
    return machine == null ? null : machine.getResourceId();
  }

  /** Sends a request and waits until so many are in progress, of which all but the first wait without a thread. */
  private static Future<String> waiting(ExecutorService threads, int load, Callable<String> request) {
    Future<String> sent = threads.submit(request);
    Condition.await(load + " requests in progress", () -> cluster.health(1, "live").body().contains("\"load\":" + load + ","));
    Condition.await("no thread but the first one's", () -> cluster.busyThreads(1) == 1);
    return sent;
  }
}
