package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.transaction.AccountGroup.code;
import static org.understudy.container.transaction.AccountGroup.require;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.cluster.Answer;

/** Clients end the same transaction at a time. What each of them gets agrees with the account. */
class ConcurrentEndHttpTest {
  private static final int ROUNDS = 300;
  private static final Map<String, String> PATIENT = Map.of("understudy.execution.ms", "30000");
  private static final String COMMIT = "CommitTransaction";
  private static final String ABORT = "AbortTransaction";

  /** Before the answer to a commit, its repetition may wait or not be understood as one, but never hear of an abort. */
  @Test
  void aRepeatedCommitIsNoAbort(@TempDir Path directory) throws Exception {
    try (AccountGroup bank = new AccountGroup(directory, "bank", 1, "shop=http://127.0.0.1:9/", PATIENT)) {
      CyclicBarrier start = new CyclicBarrier(2);
      for (int round = 0; round < ROUNDS; round++) {
        String transaction = bank.begin();
        require(bank.deposit(bank.in(transaction), 1));
        CompletableFuture<Answer> other = at(start, () -> bank.end(COMMIT, transaction));
        Answer first = at(start, () -> bank.end(COMMIT, transaction)).join();
        for (Answer answer : new Answer[] {first, other.join()}) {
          assertTrue(answer.status() == 200 || code(answer).equals("StillPending"), answer::text);
        }
        require(bank.end(COMMIT, transaction));
        assertEquals("BadRequest", code(bank.deposit(bank.in(transaction), 1)));
      }
      assertEquals(ROUNDS, bank.balance());
    }
  }

  @Test
  void notBothACommitAndAnAbortSucceed(@TempDir Path directory) throws Exception {
    try (AccountGroup bank = new AccountGroup(directory, "bank", 1, "shop=http://127.0.0.1:9/", PATIENT)) {
      CyclicBarrier start = new CyclicBarrier(2);
      int committed = 0;
      for (int round = 0; round < ROUNDS; round++) {
        String transaction = bank.begin();
        require(bank.deposit(bank.in(transaction), 1));
        CompletableFuture<Answer> abort = at(start, () -> bank.end(ABORT, transaction));
        Answer commit = at(start, () -> bank.end(COMMIT, transaction)).join();
        boolean commits = commit.status() == 200;
        committed += commits ? 1 : 0;
        assertEquals(!commits, abort.join().status() == 200, () -> commit.text() + "\n" + abort.join().text());
        assertTrue(commits || code(commit).equals("TransactionAborted"), commit::text);
        assertTrue(!commits || code(abort.join()).equals("BadRequest"), abort.join()::text);
        assertEquals(committed, bank.balance());
      }
    }
  }

  /** A call that comes with the commit is part of it, or is not executed; its client does not hear of an abort. */
  @Test
  void aLateCallIsNoAbort(@TempDir Path directory) throws Exception {
    Set<String> refusals = Set.of("BadRequest", "StillPending", "Overloaded");
    try (AccountGroup bank = new AccountGroup(directory, "bank", 1, "shop=http://127.0.0.1:9/", PATIENT)) {
      CyclicBarrier start = new CyclicBarrier(2);
      int sum = 0;
      for (int round = 0; round < ROUNDS; round++) {
        String transaction = bank.begin();
        require(bank.deposit(bank.in(transaction), 1));
        CompletableFuture<Answer> call = at(start, () -> bank.deposit(bank.in(transaction), 1));
        Answer commit = at(start, () -> bank.end(COMMIT, transaction)).join();
        Answer late = call.join();
        sum += late.status() == 200 ? 2 : 1;
        assertTrue(late.status() == 200 || refusals.contains(code(late)), late::text);
        assertTrue(commit.status() == 200 || code(commit).equals("Overloaded"), commit::text);
        require(bank.end(COMMIT, transaction));
        assertEquals(sum, bank.balance());
      }
    }
  }

  private interface Request {
    Answer send();
  }

  private static CompletableFuture<Answer> at(CyclicBarrier start, Request request) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    new Thread(() -> {
      try {
        start.await(60, TimeUnit.SECONDS);
        answer.complete(request.send());
      } catch (Exception e) {
        answer.completeExceptionally(e);
      }
    }).start();
    return answer;
  }
}
