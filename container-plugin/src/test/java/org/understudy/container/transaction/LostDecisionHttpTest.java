package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.test.Condition;
import org.understudy.test.cluster.NoticesSilence;
import org.understudy.test.cluster.PeerRelay;

/** The group that coordinates loses its memory, and with it what it has decided. */
class LostDecisionHttpTest {
  private static final int REPLICAS = 3;
  private static final String UNKNOWN = "TransactionOutcomeUnknown";

  private static PeerRelay toBank;
  private static PeerRelay toShop;
  private static AccountGroup shop;

  private AccountGroup bank;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    toBank = new PeerRelay();
    toShop = new PeerRelay();
    shop = new AccountGroup(directory, "shop", REPLICAS, "bank=" + toBank.address(), Map.of());
    shop.receiveFrom(toShop);
  }

  @AfterAll
  static void stop() throws Exception {
    toBank.close();
    toShop.close();
    shop.close();
  }

  // ---- tests

  @ParameterizedTest
  @NoticesSilence(because = "a group that restarts waits for missing replicas for a multiple of the suspicion time")
  @ValueSource(ints = {REPLICAS, 1})
  void aLostDecisionIsNotTakenForAnAbort(int replicas, @TempDir Path directory) throws Exception {
    try (AccountGroup group = new AccountGroup(directory, "bank", replicas, "shop=" + toShop.address(), Map.of())) {
      bank = group;
      bank.receiveFrom(toBank);
      assertEquals(200, bank.end("AbortTransaction", bank.begin()).status());
      int before = shop.balance();

      String open = bank.begin();
      String committed = committedWithoutTheShop();
      assertTrue(shop.isDoubtful());
      bank.stopAll();
      bank.startAll();
      toBank.lose();
      toShop.lose();
      Condition.await(
          "the answer of the coordinator", () -> shop.control("report").contains("which has lost its memory and does not know it"));
      assertTrue(shop.isDoubtful(), "not aborted");

      for (String lost : List.of(committed, open)) {
        assertEquals(UNKNOWN, AccountGroup.code(bank.end("CommitTransaction", lost)));
        assertEquals(UNKNOWN, AccountGroup.code(bank.end("AbortTransaction", lost)));
        assertEquals(UNKNOWN, AccountGroup.code(bank.deposit(bank.in(lost), 1)));
      }
      assertEquals("The transaction " + committed + " is committed.", shop.control("commit", committed));
      assertFalse(shop.isDoubtful());
      assertEquals(before + 7, shop.balance());
      assertEquals(UNKNOWN, AccountGroup.code(shop.deposit(bank.in(open), 1)), "it cannot register any more");
      shop.control("forget", committed);

      String next = bank.beginDeposits(shop);
      AccountGroup.require(bank.end("CommitTransaction", next));
      assertEquals(5, bank.balance());
      Condition.await("the shop to commit", () -> !shop.isDoubtful() && shop.balance() == before + 14);
      assertEquals("TransactionAborted", AccountGroup.code(bank.end("CommitTransaction", next + "0")), "unknown in the present life");
    }
  }

  /** Returns a transaction whose client knows that it is committed, and the shop does not. */
  private String committedWithoutTheShop() {
    String transaction = bank.beginDeposits(shop);
    toShop.lose(PeerMessage.Kind.COMMIT);
    toBank.lose(PeerMessage.Kind.STATUS);
    AccountGroup.require(bank.end("CommitTransaction", transaction));
    return transaction;
  }
}
