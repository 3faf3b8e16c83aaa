package org.understudy.container;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.primarybackup.Unreplicated;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Proposal;
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

  /**
   * Prepares an update of the key {@code a/1} for a transaction.
   *
   * @param part the coordinator's group and the name of the part
   */
  public static void prepare(Replica replica, String transaction, String part) {
    replica.submit(
        new Request(null, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "", "ann"),
        new Call() {
          @Override
          public void execute(long token, Request.Kind kind) {
            replica.prepared(
                token, Map.of("a/1", 0L), List.of(new StateChange("a/1", new byte[] {1})),
                new ParticipantRecord(transaction, part.getBytes(StandardCharsets.UTF_8)), Proposal.NOTHING);
          }

          @Override
          public void reply(Reply reply) {
            // Not before the decision.
          }

          @Override
          public void fail(Failure failure) {
            // When the replica is closed.
          }
        });
    Condition.await("a transaction in doubt", () -> !replica.undecided().isEmpty());
  }
}
