package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;
import org.understudy.test.cluster.PeerRelay;

/** A participant with the strategy {@code none}, which captures no states: it votes and shows what a group does all the same. */
class UnreplicatedParticipantHttpTest {
  private static final Map<String, String> PATIENT = Map.of("understudy.execution.ms", "30000");

  private static PeerRelay toBank;
  private static PeerRelay toShop;
  private static AccountGroup shop;

  private AccountGroup bank;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    toBank = new PeerRelay();
    toShop = new PeerRelay();
    shop = new AccountGroup(directory, "shop", 1, "bank=" + toBank.address(), PATIENT);
    shop.receiveFrom(toShop);
  }

  @BeforeEach
  void startBank(@TempDir Path directory) throws Exception {
    bank = new AccountGroup(directory, "bank", 1, "shop=" + toShop.address(), PATIENT);
    bank.receiveFrom(toBank);
  }

  @AfterEach
  void stopBank() throws Exception {
    bank.close();
  }

  @AfterAll
  static void stop() throws Exception {
    toBank.close();
    toShop.close();
    shop.close();
  }

  /** It voted <i>read only</i>, because no state showed what had changed, and kept the change. */
  @Test
  void itUndoesWhatItHasVotedForWhenTheCoordinatorAborts() {
    int before = shop.balance();
    String transaction = bank.beginDeposits(shop);
    assertEquals("prepared", shop.ask(PeerMessage.Kind.PREPARE, "bank", transaction, toBank.part()));
    assertTrue(shop.isDoubtful());
    AccountGroup.require(bank.end("AbortTransaction", transaction));
    Condition.await("the shop to abort", () -> !shop.isDoubtful());
    assertEquals(before, shop.balance());
  }

  @Test
  void itVotesReadOnlyForReads() {
    String transaction = bank.begin();
    shop.balance(bank.in(transaction));
    assertEquals("read-only", shop.ask(PeerMessage.Kind.PREPARE, "bank", transaction, toBank.part()));
    assertFalse(shop.isDoubtful());
    AccountGroup.require(bank.end("AbortTransaction", transaction));
  }

  @Test
  void itShowsWhatIsInDoubtWhenTheCoordinatorIsDead() throws Exception {
    int before = shop.balance();
    String transaction = bank.beginDeposits(shop);
    toShop.lose(PeerMessage.Kind.COMMIT, PeerMessage.Kind.ABORT);
    toBank.lose(PeerMessage.Kind.STATUS);
    AccountGroup.require(bank.end("CommitTransaction", transaction));
    bank.stopAll();
    assertTrue(shop.isDoubtful());
    String report = shop.control("report");
    assertTrue(report.startsWith("in doubt " + transaction + ": for "), report);
    assertTrue(report.endsWith(" s, waits for the decision of the group bank\n"), report);
    assertEquals("The transaction " + transaction + " is committed.", shop.control("commit", transaction));
    assertFalse(shop.isDoubtful());
    assertEquals(before + 7, shop.balance());
    assertEquals("The operator's decision about the transaction " + transaction + " is forgotten.", shop.control("forget", transaction));
    toShop.lose();
    toBank.lose();
  }
}
