package org.understudy.lab.torture.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a client does in one transaction.
 *
 * @param calls inside it, in their order
 * @param ending how it ends
 */
record TransactionScript(List<Call> calls, Ending ending) {
  private static final int MAX_COUNTERS = 3;
  private static final int READS_PERCENT = 20;
  private static final int TWICE_PERCENT = 20;
  /** Transactions in another order than others may wait for each other, until their lifetime ends. */
  private static final int UNORDERED_PERCENT = 5;
  private static final int COMMITTED_PERCENT = 50;

  TransactionScript {
    calls = List.copyOf(calls);
  }

  /** @param amount to add; 0 for a read */
  record Call(int counter, int amount) {}

  /** How a client ends a transaction. One with the stub commits, or aborts: it has one request for that. */
  enum Ending {
    COMMIT,
    ABORT,
    /** The commit is repeated after it was answered. */
    COMMIT_AGAIN,
    /** Two replicas are asked at once. */
    COMMIT_TWICE,
    /** One replica is asked to commit, and another one at the same time to abort. */
    COMMIT_BESIDE_ABORT,
    ABORT_AFTER_COMMIT,
    COMMIT_AFTER_ABORT
  }

  /**
   * Draws one.
   *
   * @param counters how many there are
   */
  static TransactionScript draw(Random random, int counters, int maxAmount) {
    List<Integer> on = IntStream.range(0, counters).boxed().collect(Collectors.toList());
    Collections.shuffle(on, random);
    List<Call> calls = new ArrayList<>();
    for (int counter : on.subList(0, Math.min(counters, 2 + random.nextInt(MAX_COUNTERS - 1)))) {
      boolean read = !calls.isEmpty() && random.nextInt(100) < READS_PERCENT;
      calls.add(new Call(counter, read ? 0 : 1 + random.nextInt(maxAmount)));
      if (random.nextInt(100) < TWICE_PERCENT) {
        calls.add(new Call(counter, random.nextBoolean() ? 0 : 1 + random.nextInt(maxAmount)));
      }
    }
    if (random.nextInt(100) >= UNORDERED_PERCENT) {
      calls.sort(Comparator.comparingInt(Call::counter));
    }
    Ending ending = random.nextInt(100) < COMMITTED_PERCENT ? Ending.COMMIT : Ending.values()[random.nextInt(Ending.values().length)];
    return new TransactionScript(calls, ending);
  }
}
