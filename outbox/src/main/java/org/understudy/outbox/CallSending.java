package org.understudy.outbox;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.connection.HttpAnswer;
import org.understudy.notification.connection.HttpConnections;
import org.understudy.replication.api.FailureCode;

/** Sends calls and handles their answers. Used by the outbox thread. */
final class CallSending {
  private static final Logger LOG = LoggerFactory.getLogger(CallSending.class);

  private final OutboxSettings settings;
  private final CallTable table;
  private final OutboxThread thread;
  private final Outcomes outcomes;
  private final LongAdder failed = new LongAdder();

  CallSending(OutboxSettings settings, CallTable table, OutboxThread thread, Outcomes outcomes) {
    this.settings = settings;
    this.table = table;
    this.thread = thread;
    this.outcomes = outcomes;
  }

  /** Failed attempts. */
  long failed() {
    return failed.sum();
  }

  /** Begins an attempt. Does not block. */
  void send(CallTable.Task task, HttpConnections connections) {
    StoredCall call = StoredCall.decode(task.call());
    GroupSession session = call.group() ? table.session(task.destination()) : null;
    URI address = call.addresses().get(task.address(call.addresses().size()));
    if (!settings.allowed().test(address)) {
      outcomes.makeDeadLetter(
          task, address + " is not in " + settings.hostsSetting() + " of the replica that sends.", change(task, session));
    } else if (!call.group()) {
      post(task, call, session, address, call.action(), CallEnvelope.of(call, address), connections);
    } else if (table.isClosing(task.destination())) {
      task.failed(System.nanoTime(), false, 0);
    } else if (session == null) {
      String nonce = UUID.randomUUID().toString().replace("-", "");
      post(
          task, call, null, address, CallEnvelope.OPEN_SESSION, CallEnvelope.openSession(call.version(), nonce), connections);
    } else {
      byte[] envelope = CallEnvelope.of(call, address, session, task.failures() + 1);
      post(task, call, session, address, call.action(), envelope, connections);
    }
  }

  /** @param session in which the call is sent; null: the call needs none, or this requests one */
  private void post(
      CallTable.Task task,
      StoredCall call,
      GroupSession session,
      URI address,
      String action,
      byte[] envelope,
      HttpConnections connections) {
    connections.post(
        address, call.version(), action, List.of(envelope),
        new HttpConnections.Outcome() {
          @Override
          public void answered(HttpAnswer answer) {
            thread.execute(task, () -> {
              if (task.isCurrent()) {
                if (call.group() && session == null) {
                  opened(task, call, answer);
                } else {
                  CallSending.this.answered(task, call, session, answer);
                }
              }
            });
          }

          @Override
          public void failed(String reason) {
            failed(HttpConnections.NoAnswer.LOST, reason);
          }

          @Override
          public void failed(HttpConnections.NoAnswer noAnswer, String reason) {
            thread.execute(task, () -> {
              if (task.isCurrent()) {
                unanswered(task, call, session, noAnswer, reason);
              }
            });
          }
        });
  }

  private static Outcomes.SessionChange change(CallTable.Task task, GroupSession session) {
    return session == null
        ? Outcomes.SessionChange.NONE
        : Outcomes.SessionChange.advance(task.destination(), session);
  }

  /** Handles the answer to a request for a session. */
  private void opened(CallTable.Task task, StoredCall call, HttpAnswer answer) {
    String session = AnswerReader.session(answer.body());
    if (session != null) {
      outcomes.keepSession(task, new GroupSession(session, 1));
      return;
    }
    AnswerReader.Meaning meaning = AnswerReader.read(answer.status(), answer.body());
    if (meaning instanceof AnswerReader.Meaning.Retry retry) {
      retry(task, call, null, retry.reason(), retry.counted(), answer.retryAfter());
    } else {
      retry(task, call, null, "the group opened no session: HTTP status " + answer.status(), true, answer.retryAfter());
    }
  }

  private void answered(CallTable.Task task, StoredCall call, GroupSession session, HttpAnswer answer) {
    AnswerReader.Meaning meaning = AnswerReader.read(answer.status(), answer.body());
    if (meaning instanceof AnswerReader.Meaning.Answered answered) {
      outcomes.keep(task, answered.reply(), change(task, session));
    } else if (meaning instanceof AnswerReader.Meaning.Retry retry) {
      if (!retry.certain()) {
        task.markUncertain();
      }
      retry(task, call, session, retry.reason(), retry.counted(), answer.retryAfter());
    } else if (meaning instanceof AnswerReader.Meaning.Refused refused) {
      refused(task, session, refused);
    } else if (meaning instanceof AnswerReader.Meaning.Unusable unusable) {
      outcomes.makeDeadLetter(
          task, "The call was answered, and the answer cannot be used: " + unusable.reason(), change(task, session));
    }
  }

  /** Handles an answer of a group that has no result for the call. */
  private void refused(CallTable.Task task, GroupSession session, AnswerReader.Meaning.Refused refused) {
    if (session == null) {
      outcomes.makeDeadLetter(task, "The call was answered, and the answer is lost. " + refused.reason(), Outcomes.SessionChange.NONE);
    } else if (refused.code() == FailureCode.ReplyDiscarded) {
      outcomes.makeDeadLetter(task, "The group executed the call and has discarded its reply. " + refused.reason(), change(task, session));
    } else if (refused.code() == FailureCode.SessionExpired && task.isCertain()) {
      // No attempt can have been executed, so a new session cannot repeat it.
      outcomes.dropSession(task, session);
    } else {
      outcomes.makeDeadLetter(
          task, "The outcome is unknown: the session in which the call was sent has ended. " + refused.reason(),
          Outcomes.SessionChange.remove(task.destination(), session));
    }
  }

  private void unanswered(
      CallTable.Task task, StoredCall call, GroupSession session, HttpConnections.NoAnswer noAnswer, String reason) {
    if (session != null && noAnswer != HttpConnections.NoAnswer.NOT_SENT) {
      task.markUncertain();
    }
    if (noAnswer == HttpConnections.NoAnswer.TOO_LONG && !(call.group() && session == null)) {
      outcomes.makeDeadLetter(task, "The call was answered, and the answer cannot be used: " + reason, change(task, session));
    } else {
      retry(task, call, session, reason, noAnswer != HttpConnections.NoAnswer.NOT_SENT, Duration.ZERO);
    }
  }

  private void retry(
      CallTable.Task task, StoredCall call, GroupSession session, String reason, boolean counted, Duration atLeast) {
    if (counted && task.attempts() + 1 >= settings.attempts()) {
      outcomes.makeDeadLetter(task, "The last of " + settings.attempts() + " attempts failed: " + reason, change(task, session));
      return;
    }
    failed.increment();
    int failures = task.failed(System.nanoTime(), counted, atLeast.toNanos());
    if (failures == 1) {
      LOG.warn(
          "The call {} to {} failed and is retried: {}. Calls to it wait until it answers.", call.messageId(), task.destination(),
          reason);
    } else {
      LOG.debug("The call {} to {} failed again: {}", call.messageId(), task.destination(), reason);
    }
  }
}
