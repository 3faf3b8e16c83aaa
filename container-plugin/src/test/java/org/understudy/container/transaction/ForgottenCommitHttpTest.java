package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.understudy.container.transaction.AccountGroup.code;
import static org.understudy.container.transaction.AccountGroup.require;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;

/** A group knows the last transactions that it has committed. Of an earlier one it must not say that it was aborted. */
class ForgottenCommitHttpTest {
  private static final String COMMIT = "CommitTransaction";
  private static final String ABORT = "AbortTransaction";
  private static final String UNKNOWN = "TransactionOutcomeUnknown";

  @Test
  void aCommitRepeatedAfterManyOthersIsNotAnAbort(@TempDir Path directory) throws Exception {
    Map<String, String> patient = Map.of("understudy.execution.ms", "30000");
    try (AccountGroup bank = new AccountGroup(directory, "bank", 1, "shop=http://127.0.0.1:9/", patient)) {
      String first = bank.begin();
      require(bank.deposit(bank.in(first), 5));
      require(bank.end(COMMIT, first));
      String open = bank.begin();
      commitOthers(bank, first);

      assertEquals(UNKNOWN, code(bank.end(COMMIT, first)));
      assertEquals(UNKNOWN, code(bank.end(ABORT, first)));
      assertEquals(UNKNOWN, code(bank.deposit(bank.in(first), 1)));
      assertEquals("lost", bank.ask(PeerMessage.Kind.REGISTER, "shop", first, "p1"));
      assertEquals(5, bank.balance());

      require(bank.end(COMMIT, open));
      require(bank.end(COMMIT, open));
      assertEquals("lost", bank.ask(PeerMessage.Kind.REGISTER, "shop", open, "p2"), "committed");
      String aborted = bank.begin();
      require(bank.end(ABORT, aborted));
      assertEquals("TransactionAborted", code(bank.end(COMMIT, aborted)));
      assertEquals("refused", bank.ask(PeerMessage.Kind.REGISTER, "shop", aborted, "p3"));
    }
  }

  /** Changes the state as commits of so many others do that the first one is forgotten. */
  private static void commitOthers(AccountGroup bank, String first) {
    CompletableFuture<Replica> found = new CompletableFuture<>();
    Failpoint.listen((point, group, replica, transaction) -> found.complete(replica));
    bank.ask(PeerMessage.Kind.STATUS, "shop", first, "p1");
    Failpoint.listen(Failpoint.Listener.NONE);
    OwnRequests requests = new OwnRequests(found.join());
    TransactionTable known = new TransactionTable(first.substring(0, first.lastIndexOf(':') + 1), () -> 1);
    String key = TransactionTable.PREFIX + first;
    known.onChange(key, found.join().state(key));
    for (int i = 0; i < TransactionTable.MAX; i++) {
      for (StateChange change : known.changes("urn:other:" + i)) {
        known.onChange(change.resource(), change.state());
        assertNull(requests.update(change).join());
      }
    }
    assertNotEquals(TransactionTable.Fate.COMMITTED, known.find(first).fate());
  }
}
