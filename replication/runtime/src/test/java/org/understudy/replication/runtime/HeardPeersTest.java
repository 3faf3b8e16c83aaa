package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;

class HeardPeersTest {
  private long now = Long.MAX_VALUE - 5;
  private final HeardPeers heard = new HeardPeers(() -> now);

  @Test
  void silenceCountsFromTheLastMessageOfEachPeer() {
    ReplicaId first = new ReplicaId(1);
    ReplicaId second = new ReplicaId(2);
    assertEquals(Long.MAX_VALUE, heard.silentNanos(first));
    heard.heard(first);
    heard.heard(second);
    // The clock may overflow.
    now += 10;
    heard.heard(second);
    now += 7;
    assertEquals(17, heard.silentNanos(first));
    assertEquals(7, heard.silentNanos(second));
  }
}
