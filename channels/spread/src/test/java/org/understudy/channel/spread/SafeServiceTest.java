package org.understudy.channel.spread;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.channel.spread.session.ServiceLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.channel.GroupChannelSettings;

/** understudy.channel.spread.service. */
class SafeServiceTest {
  private static GroupChannelSettings settings(boolean safe) {
    ReplicaId self = new ReplicaId(1);
    return new GroupChannelSettings(
        "house", self, List.of(self), List.of(), "a secret".getBytes(StandardCharsets.UTF_8), Duration.ofMillis(400), null, Map.of(),
        InetSocketAddress.createUnresolved("localhost", 4803), safe);
  }

  @Test
  void theKeyChoosesTheServiceOfTheMessages() {
    assertEquals(ServiceLevel.SAFE, SpreadProvider.used(settings(true)).service());
    assertEquals(ServiceLevel.AGREED, SpreadProvider.used(settings(false)).service());
  }
}
