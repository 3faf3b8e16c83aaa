package org.understudy.wsat.addressing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.cxf.message.Message;
import org.apache.cxf.ws.addressing.Names;
import org.jboss.ws.api.addressing.MAP;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcceptanceTimeoutTest {
  private final CxfMapBuilder builder = new CxfMapBuilder();
  private final Map<String, Object> request = new HashMap<>();

  @AfterEach
  void reset() {
    AcceptanceTimeout.use(Duration.ZERO);
  }

  @Test
  void aVoteOrDecisionIsAcceptedInAQuarterOfTheTimeForAVote() {
    AcceptanceTimeout.use(Duration.ofSeconds(30));
    MAP map = builder.outboundMap(request);
    map.setReplyTo(builder.newEndpoint(Names.WSA_NONE_ADDRESS));
    assertEquals(7_500L, request.get(Message.RECEIVE_TIMEOUT));
    assertEquals(7_500L, request.get(Message.CONNECTION_TIMEOUT));
    AcceptanceTimeout.use(Duration.ofSeconds(2));
    map.installOutboundMapOnClientSide(request, map);
    assertEquals(1_000L, request.get(Message.RECEIVE_TIMEOUT));
  }

  @Test
  void aReplyMayTakeLonger() {
    MAP map = builder.outboundMap(request);
    map.setReplyTo(builder.newEndpoint(Names.WSA_ANONYMOUS_ADDRESS));
    assertNull(request.get(Message.RECEIVE_TIMEOUT));
  }
}
