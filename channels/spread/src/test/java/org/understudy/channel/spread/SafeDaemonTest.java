package org.understudy.channel.spread;

import org.junit.jupiter.api.condition.EnabledIf;
import org.understudy.channel.spread.session.ServiceLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.channel.GroupChannel;

/** As {@link RealDaemonTest}, with {@code understudy.channel.spread.service=safe}. */
@EnabledIf(value = "org.understudy.channel.spread.RealDaemonTest#isPossible", disabledReason = RealDaemonTest.NO_DAEMON)
class SafeDaemonTest extends RealDaemonTest {
  @Override
  protected GroupChannel channel(String group, ReplicaId self) {
    return channel(group, self, ServiceLevel.SAFE);
  }
}
