package org.understudy.wsat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.transaction.TransactionContext;
import org.understudy.container.transaction.Vote;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.network.FaultyProxy;
import org.understudy.test.network.FreePorts;
import org.understudy.wsat.participant.AtomicTransactionCoordination;
import org.understudy.wsat.participant.Registrations;

/** A coordinator that would wait for an hour, and participants whose servers die or stand still. */
class UnreachableParticipantHttpTest {
  private static final int PORT = FreePorts.next();
  private static final String SERVICE = "/app/ws-t11-participant/ParticipantService";

  @TempDir
  static Path directory;

  private static WsatServer coordinator;

  private final Ledger group = new Ledger();
  private final Ledger other = new Ledger();
  private final WsatClient client = new WsatClient("http://127.0.0.1:" + PORT + "/app");
  private FaultyProxy way;
  private Registrations registrations;
  private WsatClient.Transaction transaction;
  private String id;

  @BeforeAll
  static void start() throws Exception {
    coordinator = WsatServer.start(directory, PORT, "coordinator", Map.of("understudy.wsat.timeout.s", "3600"));
  }

  @AfterAll
  static void stop() throws Exception {
    coordinator.close();
  }

  /** Registers a group's first replica, which is reached by a way of its own, then its second one and a participant of another service. */
  @BeforeEach
  void join() throws Exception {
    way = new FaultyProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT));
    registrations =
        new Registrations(
            address -> true, replica -> "http://127.0.0.1:" + (replica == 1 ? way.address().getPort() : PORT) + SERVICE);
    registrations.open();
    AtomicTransactionCoordination coordination = new AtomicTransactionCoordination();
    coordination.started(group);
    transaction = client.begin();
    TransactionContext context = coordination.contextOf(transaction.context);
    id = context.id();
    coordination.registered(id, coordination.register(context, List.of(1, 2)));
    Volunteer.register(context, other);
  }

  @AfterEach
  void close() throws IOException {
    way.close();
    registrations.close();
  }

  private void die() {
    try {
      way.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private CompletableFuture<String> commit() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            HttpResponse<String> answer = transaction.commit();
            assertEquals(200, answer.statusCode(), answer.body());
            return answer.body();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static String ended(CompletableFuture<String> commit) {
    Condition.await("the coordinator answers its client", commit::isDone);
    return commit.join();
  }

  @Test
  void aParticipantThatDiesAfterItsVoteDelaysNothing() {
    // Asked last: the others have voted.
    other.beforePrepare(this::die);
    try (LogRecorder log = LogRecorder.of(Level.WARNING, "org.understudy.wsat.coordinator")) {
      assertTrue(ended(commit()).contains(">true</Result>"));
      assertEquals(List.of("prepare", "commit"), group.asked(id));
      assertEquals(List.of("prepare", "commit"), other.asked(id));
      assertTrue(coordinator.hasUnfinished(), "the dead one is told later");
      String line = "The participant at http://127.0.0.1:" + way.address().getPort() + SERVICE
          + " accepts no connection. Its transaction is committed, ";
      assertTrue(log.lines().stream().anyMatch(one -> one.startsWith(line)), log.lines()::toString);
    }
  }

  @Test
  void aParticipantThatDiesBeforeItsVoteAbortsTheTransactionAtOnce() {
    die();
    assertTrue(ended(commit()).contains(">false</Result>"));
    Condition.await("the other participants abort", () -> group.asked(id).contains("abort") && other.asked(id).contains("abort"));
    assertFalse(other.asked(id).contains("commit"));
  }

  @Test
  void aParticipantThatStandsStillDelaysNoOther() {
    other.beforePrepare(() -> way.cut(true));
    CompletableFuture<String> commit = commit();
    Condition.await("the others commit", () -> group.asked(id).contains("commit") && other.asked(id).contains("commit"));
    assertFalse(commit.isDone(), "the participant may have got the message");
    die();
    assertTrue(ended(commit).contains(">true</Result>"), "it has died meanwhile");
  }

  @Test
  void aParticipantThatStandsStillDelaysNoAbortOfOthers() {
    other.votes(id, Vote.ABORTED);
    other.beforePrepare(() -> way.cut(true));
    CompletableFuture<String> commit = commit();
    Condition.await("the other replica aborts", () -> group.asked(id).contains("abort"));
    assertFalse(commit.isDone(), "the participant may have got the message");
    die();
    assertTrue(ended(commit).contains(">false</Result>"));
  }
}
