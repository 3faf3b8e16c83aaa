package org.understudy.lab.torture.client;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.understudy.lab.torture.client.TransactionScript.Call;
import org.understudy.lab.torture.client.TransactionScript.Ending;
import org.understudy.lab.torture.history.ClientTransaction.Request;
import org.understudy.lab.torture.history.Outcome;
import org.understudy.lab.torture.history.TransactionOutcome;

/**
 * One transaction of a client without the stub, which sends each request of it to a replica of its choice. A call is repeated under its
 * wsa:MessageID. What ends the transaction has no identity, and is repeated until the answer states the outcome.
 */
final class PlainTransaction {
  private static final long PAUSE_MS = 50;

  private final PlainClient client;
  private final CounterContract contract;
  private final Duration deadline;
  private final TransactionRecorder recorder;
  private String id;
  /** Whether it is known of each call what it has done. */
  private boolean known;

  /** What has become of a call. */
  private enum Called { ANSWERED, NOT_EXECUTED, ABORTED, UNKNOWN }

  /** An answer to a request that was sent beside others, with its time; empty for none. */
  private record Late(String answer, long returned) {}

  /** @param deadline of each call, and of the end */
  PlainTransaction(PlainClient client, CounterContract contract, Duration deadline, TransactionRecorder recorder) {
    this.client = client;
    this.contract = contract;
    this.deadline = deadline;
    this.recorder = recorder;
  }

  void run(TransactionScript script) throws InterruptedException {
    try {
      id = TransactionMessages.id(client.post(client.anyReplica(), client.path(), TransactionMessages.begin(), patience()));
    } catch (IOException e) {
      // It may have begun; then its lifetime ends it.
    }
    if (id == null) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      return;
    }
    known = true;
    Ending ending = script.ending();
    for (Call call : script.calls()) {
      Called called = call(call);
      if (called == Called.UNKNOWN) {
        known = false;
        ending = Ending.ABORT;
      }
      if (called == Called.UNKNOWN || called == Called.ABORTED) {
        break;
      }
    }
    end(ending);
  }

  /** Asks for the commit when other transactions have followed, unless that could commit a call that was not answered. */
  void askLater() throws InterruptedException {
    if (known) {
      ask(Request.COMMIT);
    }
  }

  /** Records it, if it was begun. */
  void record() {
    if (id != null) {
      recorder.end();
    }
  }

  private Duration patience() {
    return deadline.dividedBy(4);
  }

  private Called call(Call call) throws InterruptedException {
    long invoked = recorder.now();
    String header = TransactionMessages.header("urn:uuid:" + UUID.randomUUID(), id);
    String envelope =
        call.amount() == 0 ? contract.read(header, call.counter()) : contract.add(header, call.counter(), call.amount());
    Attempt attempt = client.repeat(
        call.counter(), envelope, true, answer -> TransactionMessages.outcome(answer) == TransactionOutcome.ABORTED);
    if (attempt.ended() == Outcome.OK) {
      recorder.called(call, attempt.value(), invoked);
      return Called.ANSWERED;
    }
    if (attempt.ended() == Outcome.UNKNOWN) {
      return Called.UNKNOWN;
    }
    if (attempt.replica() == 0) {
      return Called.NOT_EXECUTED;
    }
    recorder.answered(Request.CALL, TransactionOutcome.ABORTED, attempt.replica(), invoked, recorder.now());
    return Called.ABORTED;
  }

  private void end(Ending ending) throws InterruptedException {
    switch (ending) {
      case COMMIT -> ask(Request.COMMIT);
      case ABORT -> ask(Request.ABORT);
      case COMMIT_AGAIN -> {
        ask(Request.COMMIT);
        ask(Request.COMMIT);
      }
      case COMMIT_TWICE -> askBeside(Request.COMMIT);
      case COMMIT_BESIDE_ABORT -> askBeside(Request.ABORT);
      case ABORT_AFTER_COMMIT -> {
        ask(Request.COMMIT);
        ask(Request.ABORT);
      }
      case COMMIT_AFTER_ABORT -> {
        ask(Request.ABORT);
        ask(Request.COMMIT);
      }
    }
  }

  /** Asks for a commit, and at the same time for this. */
  private void askBeside(Request request) throws InterruptedException {
    int replica = client.anyReplica();
    long invoked = recorder.now();
    CompletableFuture<Late> beside = client.send(replica, client.path(), TransactionMessages.end(request, id), patience())
        .handle((answer, e) -> new Late(e == null ? answer.body() : "", recorder.now()));
    ask(Request.COMMIT);
    try {
      Late late = beside.get();
      client.keepVersion(late.answer());
      recorder.answered(request, TransactionMessages.outcome(late.answer()), replica, invoked, late.returned());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Repeats a request until an answer is conclusive or the time is over. What was asked is recorded once. */
  private void ask(Request request) throws InterruptedException {
    long invoked = recorder.now();
    long end = System.nanoTime() + deadline.toNanos();
    String envelope = TransactionMessages.end(request, id);
    while (true) {
      int replica = client.anyReplica();
      try {
        String answer = client.post(replica, client.path(), envelope, patience());
        if (TransactionMessages.conclusive(answer)) {
          recorder.answered(request, TransactionMessages.outcome(answer), replica, invoked, recorder.now());
          return;
        }
      } catch (IOException e) {
        // Another replica may know.
      }
      if (System.nanoTime() > end) {
        recorder.answered(request, TransactionOutcome.UNKNOWN, 0, invoked, recorder.now());
        return;
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    }
  }
}
