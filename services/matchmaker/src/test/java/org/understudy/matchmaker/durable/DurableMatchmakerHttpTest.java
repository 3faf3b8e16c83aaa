package org.understudy.matchmaker.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jws.WebService;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.client.FaultTolerant;
import org.understudy.matchmaker.AllocatedMachine;
import org.understudy.matchmaker.DuplicateJob;
import org.understudy.matchmaker.MatchmakerPortType;
import org.understudy.matchmaker.replicated.MatchmakerService;
import org.understudy.replication.api.Topics;
import org.understudy.replication.api.property.ResourceProperties;
import org.understudy.test.cluster.TestCluster;

/** The service that the durability compiler generates from each mapping: what clients see stays the same. */
class DurableMatchmakerHttpTest {
  private static final String SERVICE = "/services/MatchmakerService";

  @TempDir Path directory;

  /** The class that the build has generated from a mapping. */
  private static Class<?> generated(String mapping) throws ClassNotFoundException {
    return Class.forName("org.understudy.matchmaker." + mapping.replace("-", "") + ".MatchmakerService");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pb", "pb-db", "db", "rec-db", "original"})
  void everyMappingGivesTheSameContract(String mapping) throws Exception {
    Class<?> service = generated(mapping);
    assertTrue(MatchmakerPortType.class.isAssignableFrom(service));
    // The name of the class is the path of the service.
    assertEquals(MatchmakerService.class.getSimpleName(), service.getSimpleName());
    for (var annotation : List.of(WebService.class, Topics.class, ResourceProperties.class)) {
      assertEquals(MatchmakerService.class.getAnnotation(annotation), service.getAnnotation(annotation));
    }
  }

  /** Backups repeat the calls on their own objects, and one of them goes on with these. */
  @Test
  void replicatedObjectsSurviveThePrimary() throws Exception {
    Class<?> service = generated("pb");
    Map<String, String> settings = Map.of("understudy.strategy", "primary-backup");
    try (TestCluster cluster = new TestCluster(directory, new DurableApplication(service), 3, settings)) {
      List<URI> replicas = IntStream.rangeClosed(1, 3).mapToObj(number -> cluster.uri(number, SERVICE)).toList();
      MatchmakerPortType matchmaker = FaultTolerant.client(MatchmakerPortType.class, null, replicas);
      for (String id : List.of("m1", "m2", "m3")) {
        matchmaker.machineAdvertise(id, 1_000, 512, 100, "10.0.0.1", "key-" + id, null);
      }
      String first = submit(matchmaker, "a", "ann");
      submit(matchmaker, "b", "ann");
      matchmaker.release("b", "ann");
      assertThrows(DuplicateJob.class, () -> submit(matchmaker, "b", "ann"));
      cluster.stop(cluster.primary());
      assertEquals(first, submit(matchmaker, "a", "ann"));
      assertThrows(DuplicateJob.class, () -> submit(matchmaker, "b", "ann"));
      submit(matchmaker, "c", "bob");
      submit(matchmaker, "d", "bob");
      assertNull(matchmaker.jobSubmit("e", "bob", 500, 256, 10, 3));
      assertEquals(2, matchmaker.balance("ann"));
      assertEquals(2, matchmaker.balance("bob"));
      String property =
          "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>"
              + "<rp:GetResourceProperty xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\" xmlns:m=\"urn:understudy:matchmaker:1\">"
              + "m:Machine</rp:GetResourceProperty></e:Body></e:Envelope>";
      String machines =
          cluster.post(cluster.primary(), SERVICE, property.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8").text();
      assertTrue(machines.contains(">m1<") && machines.contains(">m3<") && machines.contains(">d<"), machines);
      FaultTolerant.close(matchmaker);
    }
  }

  /** A replica that has lost its memory gets the machines back from their advertisements, with the jobs that they work for. */
  @Test
  void lostMachinesAreReconstructed() throws Exception {
    Class<?> service = generated("original");
    try (TestCluster cluster = new TestCluster(directory, new DurableApplication(service), 1, Map.of())) {
      List<URI> replicas = List.of(cluster.uri(1, SERVICE));
      MatchmakerPortType before = FaultTolerant.client(MatchmakerPortType.class, null, replicas);
      before.machineAdvertise("m1", 1_000, 512, 100, "10.0.0.1", "key-m1", null);
      assertEquals("m1", submit(before, "a", "ann"));
      FaultTolerant.close(before);
      cluster.stop(1);
      cluster.start(1);
      cluster.awaitReady(1);
      MatchmakerPortType after = FaultTolerant.client(MatchmakerPortType.class, null, replicas);
      assertNull(after.jobSubmit("b", "bob", 500, 256, 10, 3));
      after.machineAdvertise("m1", 1_000, 512, 100, "10.0.0.1", "key-m1", "a");
      assertNull(after.jobSubmit("b", "bob", 500, 256, 10, 3));
      assertEquals("m1", submit(after, "a", "ann"));
      after.release("a", "ann");
      after.machineAdvertise("m1", 1_000, 512, 100, "10.0.0.1", "key-m1", null);
      assertEquals("m1", submit(after, "b", "bob"));
      FaultTolerant.close(after);
    }
  }

  private static String submit(MatchmakerPortType matchmaker, String job, String client) throws Exception {
    AllocatedMachine machine = matchmaker.jobSubmit(job, client, 500, 256, 10, 3);
    return machine.getResourceId();
  }
}
