package org.understudy.test.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class ClusterPortsTest {
  @Test
  void portsBelongToOneProcess() throws Exception {
    int first = ClusterPorts.next();
    int several = ClusterPorts.next(3);
    assertTrue(several >= first + 10, first + " and " + several);
    assertTrue(ClusterPorts.next() >= several + 30);
  }

  @Test
  void aGroupWhosePortsAreInUseIsLeftOut() throws Exception {
    int first = ClusterPorts.next();
    int next = first + 10;
    // Where the first replica of the next group listens for its peers.
    try (ServerSocket busy = new ServerSocket(next + 1_001, 1, InetAddress.getByName("127.0.0.1"))) {
      assertEquals(next + 1_001, busy.getLocalPort());
      assertTrue(ClusterPorts.next() > next);
    }
  }
}
