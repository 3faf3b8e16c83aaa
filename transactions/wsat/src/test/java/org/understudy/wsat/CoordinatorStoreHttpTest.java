package org.understudy.wsat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.transaction.TransactionContext;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;
import org.understudy.test.process.Program;
import org.understudy.wsat.participant.AtomicTransactionCoordination;
import org.understudy.wsat.store.StoreHalt;
import org.understudy.wsat.store.StoreHalt.Moment;
import org.w3c.dom.Element;

/**
 * A coordinator in a process of its own, which halts inside its store's write or removal of a decision, and is started again. The
 * participants are a group of two processes with a database, a group in this process with what is in memory only, and one of a user of
 * Narayana. All moments, with {@code -Dunderstudy.wsat.store=true}, take about three minutes; else the decision is half
 * written, or cannot be written.
 */
class CoordinatorStoreHttpTest {
  private static final Ledger OTHER = new Ledger();

  @TempDir
  static Path directory;

  private static PurseGroup group;
  private static WsatServer memory;
  private static String memoryUrl;
  private static int port;
  private static Program coordinator;

  @BeforeAll
  static void start() throws Exception {
    port = FreePorts.next();
    launch();
    group = new PurseGroup(directory, 2);
    int own = FreePorts.next();
    memoryUrl = "http://127.0.0.1:" + own + "/app";
    memory =
        WsatServer.start(
            directory.resolve("memory"), own, "participant",
            Map.of("understudy.service", Purse.class.getName(), "understudy.database.url", group.database("unused"),
                "understudy.database.user", "sa"));
    coordinator.out().await(WsatServer.READY);
    group.awaitAll();
  }

  @AfterAll
  static void stop() throws Exception {
    coordinator.close();
    group.close();
    memory.close();
  }

  private static Path own() {
    return directory.resolve("coordinator");
  }

  private static void launch() throws IOException {
    coordinator = WsatServer.process(own(), port, "coordinator", Map.of("understudy.wsat.timeout.s", "5"));
  }

  /** The records of decisions. */
  private static List<Path> records() throws IOException {
    try (Stream<Path> files = Files.walk(WsatServer.store(own()))) {
      return files.filter(file -> file.getParent().endsWith("ATCoordinator") && Files.isRegularFile(file)).toList();
    }
  }

  /** A transaction with a part in each participant. */
  private static final class Shared {
    private final WsatClient.Transaction transaction = new WsatClient("http://127.0.0.1:" + port + "/app").begin();
    private final int primary = group.primary();
    private final int inMemory = Integer.parseInt(PurseGroup.count(memoryUrl));
    private final int inGroup = Integer.parseInt(group.count(primary));
    private final int saved = group.saved();
    private final String id;

    private Shared() throws Exception {
      Element context = transaction.context;
      assertTrue(PurseGroup.put(memoryUrl, context, 1).contains("<return>" + (inMemory + 1) + "</return>"));
      String answer = group.save(primary, context, 1);
      assertTrue(answer.contains("<return>" + (inGroup + 1) + "</return>"), answer);
      TransactionContext known = new AtomicTransactionCoordination().contextOf(context);
      Volunteer.register(known, OTHER);
      id = known.id();
    }

    /** Waits until it has ended everywhere in the same way, and nothing is left of it. */
    private void awaitEnd(boolean committed) throws Exception {
      int added = committed ? 1 : 0;
      Condition.await("the third participant ends", () -> OTHER.asked(id).contains(committed ? "commit" : "abort"));
      Condition.await("the memory ends", () -> counts(inMemory + added, inGroup + added));
      assertFalse(OTHER.asked(id).contains(committed ? "abort" : "commit"));
      group.awaitNoBranch();
      assertEquals(saved + added, group.saved());
      Condition.await("the coordinator forgets it", () -> countOfRecords() == 0);
      // No object is locked: these are not answered while one is.
      assertTrue(PurseGroup.put(memoryUrl, null, 0).contains("<return>" + (inMemory + added) + "</return>"));
      assertTrue(group.save(primary, null, 0).contains("<return>" + (inGroup + added) + "</return>"));
    }

    private boolean counts(int expectedInMemory, int expectedInGroup) {
      try {
        return PurseGroup.count(memoryUrl).equals(Integer.toString(expectedInMemory))
            && group.count(primary).equals(Integer.toString(expectedInGroup));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Lets the coordinator halt before it has answered the client, and starts it again. */
  private static void halt(Shared shared) throws Exception {
    assertThrows(IOException.class, shared.transaction::commit);
    assertEquals(StoreHalt.STATUS, coordinator.end().status());
  }

  private static void haltAt(Moment moment) throws Exception {
    Shared shared = new Shared();
    StoreHalt.order(own(), moment);
    halt(shared);
    assertEquals(moment.isDecided() && moment != Moment.REMOVED ? 1 : 0, records().size());
    launch();
    coordinator.out().await(WsatServer.READY);
    shared.awaitEnd(moment.isDecided());
    Shared next = new Shared();
    assertTrue(next.transaction.commit().body().contains(">true</Result>"));
    next.awaitEnd(true);
  }

  @Test
  void aHalfWrittenDecisionIsAnAbort() throws Exception {
    haltAt(Moment.HALF_WRITTEN);
  }

  @Test
  @EnabledIfSystemProperty(named = "understudy.wsat.store", matches = "true")
  void aCoordinatorMayHaltAtEachMomentOfItsStore() throws Exception {
    for (Moment moment : Moment.values()) {
      haltAt(moment);
    }
  }

  @Test
  void aDecisionThatCannotBeWrittenIsAnAbort() throws Exception {
    Shared shared = new Shared();
    Path unfinished = WsatServer.store(own()).resolve("SerializationFreeStore").resolve("unfinished");
    Files.delete(unfinished);
    assertTrue(shared.transaction.commit().body().contains(">false</Result>"));
    Files.createDirectory(unfinished);
    assertTrue(coordinator.out().await("WARNING: The record ").contains("cannot be written"));
    shared.awaitEnd(false);
  }

  /** When a participant has not acknowledged the decision, the record is written again, without the others. */
  @Test
  @EnabledIfSystemProperty(named = "understudy.wsat.store", matches = "true")
  void aCoordinatorMayHaltWhenItWritesItsDecisionAgain() throws Exception {
    for (Moment moment : List.of(Moment.BEFORE_WRITE, Moment.HALF_WRITTEN, Moment.NOT_FORCED, Moment.IN_PLACE)) {
      Shared shared = new Shared();
      OTHER.beforeCommit(() -> {
        order(moment);
        throw new IllegalStateException("This participant does not commit now.");
      });
      halt(shared);
      assertEquals(1, records().size());
      OTHER.beforeCommit(() -> {});
      launch();
      shared.awaitEnd(true);
    }
  }

  /** The client has been told that it is committed. */
  @Test
  @EnabledIfSystemProperty(named = "understudy.wsat.store", matches = "true")
  void aCoordinatorMayHaltWhenItRemovesADecisionThatTheClientKnows() throws Exception {
    for (Moment moment : List.of(Moment.BEFORE_REMOVAL, Moment.REMOVED)) {
      Shared shared = new Shared();
      OTHER.beforeCommit(() -> {
        throw new IllegalStateException("This participant does not commit now.");
      });
      assertTrue(shared.transaction.commit().body().contains(">true</Result>"));
      order(moment);
      OTHER.beforeCommit(() -> {});
      assertEquals(StoreHalt.STATUS, coordinator.end().status());
      launch();
      shared.awaitEnd(true);
    }
  }

  private static void order(Moment moment) {
    try {
      StoreHalt.order(own(), moment);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Two transactions are decided and one is not when the coordinator halts. The file of one decision is damaged meanwhile. */
  @Test
  @EnabledIfSystemProperty(named = "understudy.wsat.store", matches = "true")
  void aDamagedDecisionStaysInDoubtAndTheOthersEnd() throws Exception {
    List<WsatClient.Transaction> transactions = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      WsatClient.Transaction transaction = new WsatClient("http://127.0.0.1:" + port + "/app").begin();
      TransactionContext context = new AtomicTransactionCoordination().contextOf(transaction.context);
      // Two participants: one alone decides by itself.
      Volunteer.register(context, OTHER);
      Volunteer.register(context, OTHER);
      transactions.add(transaction);
      ids.add(context.id());
    }
    OTHER.beforeCommit(() -> {
      throw new IllegalStateException("This participant does not commit now.");
    });
    CompletableFuture<Void> first = commit(transactions.get(0));
    Condition.await("the first decision", () -> countOfRecords() == 1);
    Path record = records().get(0);
    CompletableFuture<Void> second = commit(transactions.get(1));
    Condition.await("the second decision", () -> countOfRecords() == 2);
    OTHER.beforePrepare(coordinator::close);
    CompletableFuture<Void> third = commit(transactions.get(2));
    CompletableFuture.allOf(first, second, third).join();
    OTHER.beforePrepare(() -> {});
    OTHER.beforeCommit(() -> {});
    byte[] whole = Files.readAllBytes(record);
    StoreHalt.tear(record);

    launch();
    assertTrue(coordinator.out().await("SEVERE: The record ").contains(record.toString()));
    coordinator.out().await(WsatServer.READY);
    Condition.await("the second commits", () -> OTHER.asked(ids.get(1)).equals(List.of("prepare", "commit")));
    Condition.await("the third aborts", () -> OTHER.asked(ids.get(2)).equals(List.of("prepare", "abort")));
    String line = coordinator.out().await("WARNING: The vote of the participant ");
    assertTrue(line.contains(" at http://"), line);
    assertEquals(List.of("prepare"), OTHER.asked(ids.get(0)));
    Files.write(record, whole);
    Condition.await("the first commits", () -> OTHER.asked(ids.get(0)).equals(List.of("prepare", "commit")));
    Condition.await("the coordinator forgets them", () -> countOfRecords() == 0);
  }

  private static int countOfRecords() {
    try {
      return records().size();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CompletableFuture<Void> commit(WsatClient.Transaction transaction) {
    return CompletableFuture.runAsync(() -> assertThrows(IOException.class, transaction::commit), task -> new Thread(task).start());
  }
}
