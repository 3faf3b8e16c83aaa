package org.understudy.container.forwarding.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.Socket;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;

class ProbedConnectionsTest {
  @Test
  void aConnectionIsProbedLongBeforeAMethodMayEnd() throws Exception {
    try (Socket socket = ProbedConnections.socket(null)) {
      assertTrue(socket.getKeepAlive());
      assumeTrue(socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE), "This system has an interval of its own.");
      assertEquals(5, socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
      assertEquals(5, socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL));
      assertEquals(3, socket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT));
    }
  }
}
