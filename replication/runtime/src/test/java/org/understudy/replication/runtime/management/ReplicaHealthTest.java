package org.understudy.replication.runtime.management;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.RuntimeSettings;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.test.strategy.StepStrategy;

class ReplicaHealthTest {
  private static final ReplicaId ONE = new ReplicaId(1);

  @TempDir Path directory;

  private String described(Map<ReplicaId, Long> waiting, String refusal) throws IOException {
    return described(waiting, refusal, false, 0);
  }

  private String described(Map<ReplicaId, Long> waiting, String refusal, boolean minority, long arrived) throws IOException {
    ReplicaStatus status =
        new ReplicaStatus(Role.PRIMARY, new View(1, List.of(ONE)), 0, 0, true, 0, 1, 0, waiting, refusal, minority, arrived, Set.of());
    RuntimeSettings settings =
        new RuntimeSettings(
            ONE, List.of(ONE), directory, Timing.of(Duration.ofMillis(50), Duration.ofSeconds(1)), Limits.DEFAULTS,
            Duration.ofSeconds(20));
    try (Replica replica = Replica.open(settings, new StepStrategy((input, out) -> {}, status), Channels.NONE)) {
      JsonObject report = new JsonObject();
      new ReplicaHealth(ONE, replica, List::of).describe(report, true);
      return report.toString();
    }
  }

  @Test
  void aReplicaThatWaitsForItsReadmissionIsNamed() throws IOException {
    String text = described(Map.of(new ReplicaId(3), 11_400L), null);
    assertTrue(
        text.contains("\"waiting\":[\"replica 3 is no member for 12 s at most, because it has left the view repeatedly\"]"), text);
    assertFalse(described(Map.of(), null).contains("waiting"));
  }

  @Test
  void aReplicaThatTheViewDoesNotAdmitIsRefused() throws IOException {
    String text = described(Map.of(), "Replica 1 cannot join the view of replica 2.");
    assertTrue(text.contains("\"refused\":[\"Replica 1 cannot join the view of replica 2.\"]"), text);
    assertFalse(described(Map.of(), null).contains("refused"));
  }

  @Test
  void aJoinerTellsHowMuchOfTheStateHasArrived() throws IOException {
    String text = described(Map.of(), null, false, 81_920);
    assertTrue(text.contains("\"stateBytesReceived\":81920"), text);
    assertFalse(described(Map.of(), null).contains("stateBytesReceived"));
  }

  @Test
  void aReplicaWithoutMajorityIsNotReadyAndSaysSo() throws IOException {
    String text = described(Map.of(), null, true, 0);
    assertTrue(text.contains("\"majority\":false"), text);
    assertFalse(text.contains("\"update\"") || text.contains("linearizable-read"), text);
    assertFalse(described(Map.of(), null).contains("majority"));
  }
}
