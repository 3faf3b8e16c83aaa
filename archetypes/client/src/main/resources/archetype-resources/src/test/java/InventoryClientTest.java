package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client with a group of three replicas, whose primary is killed. */
@Timeout(300)
class InventoryClientTest {
  @TempDir Path directory;

  @Test
  void everyCallIsExecutedOnceWhenThePrimaryIsKilled() throws Exception {
    try (ReplicaGroup group = new ReplicaGroup(directory, 3);
        InventoryClient client = new InventoryClient(group.services())) {
      for (int i = 1; i <= 10; i++) {
        assertEquals(i, client.add("bolt", 1));
      }
      group.kill(group.primary());
      for (int i = 11; i <= 20; i++) {
        assertEquals(i, client.add("bolt", 1));
      }
    }
  }
}
