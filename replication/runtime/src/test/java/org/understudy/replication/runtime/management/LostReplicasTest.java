package org.understudy.replication.runtime.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;

class LostReplicasTest {
  @Test
  void aListOfLostReplicasNamesIncarnationsOrNone() {
    assertEquals(
        Map.of(new ReplicaId(2), -4211L, new ReplicaId(3), 0L), ReplicaControl.parse(" 2=-4211 , 3"));
    for (String wrong : new String[] {"", "two", "2=x", "2,,3", "999"}) {
      assertThrows(IllegalArgumentException.class, () -> ReplicaControl.parse(wrong), wrong);
    }
  }
}
