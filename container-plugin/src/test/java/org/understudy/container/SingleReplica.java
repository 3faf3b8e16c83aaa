package org.understudy.container;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.primarybackup.Unreplicated;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.RuntimeSettings;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.test.Condition;

/** A group of one replica, without a container and without a disk. */
public final class SingleReplica {
  private SingleReplica() {}

  /** Opens one and waits until it serves updates. */
  public static Replica open() throws IOException {
    ReplicaId self = new ReplicaId(1);
    Replica replica =
        Replica.open(
            new RuntimeSettings(
                self, List.of(self), Path.of("unused"), Timing.of(Duration.ofMillis(20), Duration.ofMillis(100)),
                Limits.DEFAULTS, Duration.ofSeconds(20)),
            new Unreplicated(), Channels.NONE);
    Condition.await("the first view", () -> replica.routing().servesUpdates());
    return replica;
  }
}
