package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.client.FaultTolerant;

/** The service in three replicas, whose primary is killed. */
@Timeout(300)
class InventoryTest {
  @TempDir Path directory;

  @Test
  void nothingIsLostOrDoneTwiceWhenThePrimaryIsKilled() throws Exception {
    try (ReplicaGroup group = new ReplicaGroup(directory, 3)) {
      Inventory inventory = FaultTolerant.client(Inventory.class, null, group.services());
      try {
        for (int i = 1; i <= 10; i++) {
          assertEquals(i, inventory.add("bolt", 1));
        }
        group.kill(group.primary());
        for (int i = 11; i <= 20; i++) {
          assertEquals(i, inventory.add("bolt", 1));
        }
        assertEquals(20, inventory.count("bolt"));
      } finally {
        FaultTolerant.close(inventory);
      }
    }
  }
}
