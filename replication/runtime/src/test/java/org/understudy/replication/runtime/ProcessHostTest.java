package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.thread.RepeatedTask;

/** The threads of a replica's clock and disk do not end unnoticed. */
class ProcessHostTest {
  private static final ReplicaId SELF = new ReplicaId(1);

  @TempDir Path directory;
  private ProcessHost host;

  @BeforeEach
  void open() throws Exception {
    RuntimeSettings settings =
        new RuntimeSettings(
            SELF, List.of(SELF), directory, Timing.of(Duration.ofMillis(50), Duration.ofMillis(500)), Limits.DEFAULTS,
            Duration.ofSeconds(1));
    host = ProcessHost.open(settings, new PrimaryBackup());
  }

  @AfterEach
  void close() {
    host.close();
  }

  @Test
  void clockGoesOnAfterATickThatThrows() {
    AtomicInteger ticks = new AtomicInteger();
    try (LogRecorder log = LogRecorder.of(RepeatedTask.class)) {
      host.tick(
          () -> {
            if (ticks.incrementAndGet() == 1) {
              throw new AssertionError("for the test");
            }
          },
          1_000_000);
      Condition.await("another tick", () -> ticks.get() > 1);
      assertEquals(List.of("A tick of the replica's clock failed and is retried at its next run. Report it if it repeats."), log.lines());
    }
  }

  /** The next batch would wait for ever, and so would what rests on it. */
  @Test
  void errorAfterABatchIsReported() throws Exception {
    MembershipRecord record = new MembershipRecord(1, SELF, View.NONE, View.NONE, true);
    CompletableFuture<Throwable> failed = new CompletableFuture<>();
    host.store(
        List.of(record),
        () -> {
          throw new NoClassDefFoundError("for the test");
        },
        failed::complete);
    assertInstanceOf(NoClassDefFoundError.class, failed.get(60, TimeUnit.SECONDS));
  }
}
