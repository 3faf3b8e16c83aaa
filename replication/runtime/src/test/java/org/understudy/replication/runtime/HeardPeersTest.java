package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;

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

  /** Without that, a request that one of them has forwarded to another ended while its method ran. */
  @Test
  void theFirstMemberOfAViewIsHeardForTheOthers() {
    ReplicaId first = new ReplicaId(1);
    ReplicaId second = new ReplicaId(2);
    ReplicaId third = new ReplicaId(3);
    View view = new View(4, List.of(first, second, third));
    heard.heard(second);
    now += 20;
    heard.heard(first);
    now += 3;
    assertEquals(3, heard.silentNanos(third, second, view));
    assertEquals(3, heard.silentNanos(third, first, view));
    assertEquals(23, heard.silentNanos(first, second, view));
    // No member: nobody watches for it.
    assertEquals(23, heard.silentNanos(third, second, new View(5, List.of(first, second))));
    assertEquals(23, heard.silentNanos(third, second, View.NONE));
    now += 100;
    assertEquals(103, heard.silentNanos(third, second, view));
  }
}
