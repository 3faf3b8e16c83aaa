package org.understudy.lab.torture.client;

import java.util.ArrayList;
import java.util.List;
import org.understudy.lab.torture.history.ClientTransaction;
import org.understudy.lab.torture.history.ClientTransaction.Answer;
import org.understudy.lab.torture.history.ClientTransaction.Call;
import org.understudy.lab.torture.history.ClientTransaction.Request;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.TransactionOutcome;

/** Records one transaction of a client. Used by one thread. */
final class TransactionRecorder {
  private final History history;
  private final String client;
  private final long began;
  private final List<Call> calls = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();

  TransactionRecorder(History history, String client) {
    this.history = history;
    this.client = client;
    this.began = history.now();
  }

  /** In ns of the history. */
  long now() {
    return history.now();
  }

  /** A call was answered with a value. */
  void called(TransactionScript.Call call, int value, long invoked) {
    calls.add(new Call(call.counter(), call.amount(), value, invoked, history.now()));
  }

  /** An answer stated the outcome, or a request for it has none. */
  void answered(Request request, TransactionOutcome outcome, int replica, long invoked, long returned) {
    answers.add(new Answer(request, outcome, replica, invoked, returned));
  }

  /** It was begun, and its client does nothing more with it. */
  void end() {
    history.add(new ClientTransaction(client, began, calls, answers));
  }
}
