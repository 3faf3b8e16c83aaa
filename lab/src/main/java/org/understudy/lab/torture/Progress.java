package org.understudy.lab.torture;

import java.util.Arrays;
import java.util.stream.Stream;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.TransactionOutcome;

/** When updates and commits of transactions were acknowledged to any client. */
final class Progress {
  private final long[] acknowledged;

  Progress(History.Recorded history) {
    Stream<Operation> committed = history.transactions().stream()
        .filter(transaction -> transaction.outcome() == TransactionOutcome.COMMITTED)
        .flatMap(transaction -> transaction.effects().stream().filter(Operation::update).limit(1));
    Stream<Operation> updates = history.operations().stream().filter(operation -> operation.update() && operation.ok());
    acknowledged = Stream.concat(updates, committed).mapToLong(Operation::returned).sorted().toArray();
  }

  /** The longest time within an interval without an acknowledgement, in ns. */
  long longestSilence(long from, long to) {
    int next = Arrays.binarySearch(acknowledged, from);
    next = next < 0 ? -next - 1 : next;
    long longest = 0;
    long last = from;
    for (; next < acknowledged.length && acknowledged[next] <= to; next++) {
      longest = Math.max(longest, acknowledged[next] - last);
      last = acknowledged[next];
    }
    return Math.max(longest, to - last);
  }

  /** How many were acknowledged within an interval. */
  long count(long from, long to) {
    return Arrays.stream(acknowledged).filter(time -> time >= from && time <= to).count();
  }
}
