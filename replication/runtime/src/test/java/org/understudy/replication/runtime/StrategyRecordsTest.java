package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.runtime.peer.Channels;

/** A strategy with a record of its own, on the disk of the process. */
class StrategyRecordsTest {
  private static final ReplicaId SELF = new ReplicaId(1);

  /** A ballot that an acceptor has promised. */
  private record Ballot(long number) implements DurableRecord {
    static final RecordKind<Ballot> KIND =
        new RecordKind<>("ballot", Ballot.class, bytes -> new Ballot(ByteBuffer.wrap(bytes).getLong()));

    @Override
    public RecordKind<?> kind() {
      return KIND;
    }

    @Override
    public byte[] encode() {
      return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    @Override
    public boolean supersedes(DurableRecord earlier) {
      return earlier instanceof Ballot other && other.number <= number;
    }
  }

  /** Promises the number of each request, and refuses it with the number promised before. */
  private static final class Promising implements ReplicationStrategy, ReplicaCore {
    final CompletableFuture<Long> stored = new CompletableFuture<>();
    Recovered recovered;

    @Override
    public String name() {
      return "promising";
    }

    @Override
    public Set<Capability> requires() {
      return Set.of();
    }

    @Override
    public Assignment assign(View view) {
      return Assignment.ofPrimary(view);
    }

    @Override
    public Set<RecordKind<?>> records() {
      return Set.of(Ballot.KIND);
    }

    @Override
    public ReplicaCore open(ReplicaSetup setup) {
      recovered = setup.recovered();
      return this;
    }

    @Override
    public void step(long now, long wall, Input input, Effects out) {
      if (input instanceof Input.Requested requested) {
        out.store(77, new Ballot(requested.request().digest()));
        out.fail(requested.token(), new Failure(FailureCode.Overloaded, "promised"));
      } else if (input instanceof Input.Stored durable) {
        stored.complete(durable.token());
      }
    }

    @Override
    public ReplicaStatus status(long now) {
      return new ReplicaStatus(Role.JOINING, View.NONE, 0, 0, false, 0, 0, 0);
    }

    @Override
    public long digest() {
      return 0;
    }
  }

  @TempDir Path directory;

  private Replica open(Promising strategy) throws Exception {
    RuntimeSettings settings =
        new RuntimeSettings(
            SELF, List.of(SELF), directory, Timing.of(Duration.ofMillis(50), Duration.ofSeconds(1)), Limits.DEFAULTS,
            Duration.ofSeconds(20));
    return Replica.open(settings, strategy, Channels.NONE);
  }

  @Test
  void restartRecoversRecordsOfTheStrategy() throws Exception {
    Promising first = new Promising();
    try (Replica replica = open(first)) {
      assertEquals(Optional.empty(), first.recovered.newest(Ballot.KIND));
      TestCall call = new TestCall(token -> {});
      replica.submit(
          new Request(
              new RequestKey.OfMessageId(1, 1), 9, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, ""),
          call);
      Failure answer = assertInstanceOf(Failure.class, call.answer.get(30, TimeUnit.SECONDS));
      assertEquals("promised", answer.sentence());
      assertTrue(Files.exists(directory.resolve("ballot")), "the answer leaves when the record is on disk");
      assertEquals(77, first.stored.get(30, TimeUnit.SECONDS));
    }
    Promising second = new Promising();
    try (Replica replica = open(second)) {
      assertEquals(Optional.of(new Ballot(9)), second.recovered.newest(Ballot.KIND));
      assertTrue(replica.halted() == null);
    }
  }
}
