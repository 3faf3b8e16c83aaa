package org.understudy.lab.torture.check;

import java.util.ArrayList;
import java.util.List;
import org.understudy.lab.torture.history.ClientTransaction;
import org.understudy.lab.torture.history.ClientTransaction.Call;
import org.understudy.lab.torture.history.ClientTransaction.Request;
import org.understudy.lab.torture.history.TransactionOutcome;

/**
 * What one transaction shows alone: answers about its outcome do not contradict each other, none was committed that nobody has asked to
 * commit, and its calls see each other's changes and nothing else that has changed meanwhile.
 */
final class TransactionChecker {
  private TransactionChecker() {}

  static List<Violation> check(List<ClientTransaction> transactions) {
    List<Violation> violations = new ArrayList<>();
    for (ClientTransaction transaction : transactions) {
      boolean asked = transaction.answers().stream().anyMatch(answer -> answer.request() == Request.COMMIT);
      if (transaction.contradictory() || !asked && transaction.answered(TransactionOutcome.COMMITTED)) {
        violations.add(new Violation("transaction outcome", "Answers contradict each other: " + transaction.describe() + "."));
      }
      transaction.byCounter().values().forEach(calls -> isolated(transaction, calls, violations));
    }
    return violations;
  }

  private static void isolated(ClientTransaction transaction, List<Call> calls, List<Violation> violations) {
    for (int i = 1; i < calls.size(); i++) {
      Call call = calls.get(i);
      if (call.value() != calls.get(i - 1).value() + call.amount()) {
        violations.add(new Violation("transaction", "Counter " + call.resource() + " changed within " + transaction.describe()
            + ", not by its own calls."));
      }
    }
  }
}
