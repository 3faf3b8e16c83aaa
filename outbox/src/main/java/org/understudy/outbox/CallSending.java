package org.understudy.outbox;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.connection.HttpAnswer;
import org.understudy.notification.connection.HttpConnections;

/** Attempts to send calls, and what each answer leads to. Belongs to the thread of the outbox. */
final class CallSending {
  private static final Logger LOG = LoggerFactory.getLogger(CallSending.class);

  private final OutboxSettings settings;
  private final OutboxThread thread;
  private final Outcomes outcomes;
  private final LongAdder failed = new LongAdder();

  CallSending(OutboxSettings settings, OutboxThread thread, Outcomes outcomes) {
    this.settings = settings;
    this.thread = thread;
    this.outcomes = outcomes;
  }

  /** Failed attempts. */
  long failed() {
    return failed.sum();
  }

  /** Begins an attempt. */
  void send(CallTable.Task task, HttpConnections connections) {
    StoredCall call = StoredCall.decode(task.call());
    URI address = call.addresses().get(task.address(call.addresses().size()));
    if (!settings.allowed().test(address)) {
      outcomes.bury(task, address + " is not in " + settings.hostsSetting() + " of the replica that sends.");
      return;
    }
    connections.post(
        address, call.version(), call.action(), List.of(CallEnvelope.of(call, address)),
        new HttpConnections.Outcome() {
          @Override
          public void answered(HttpAnswer answer) {
            thread.execute(() -> CallSending.this.answered(task, call, answer));
          }

          @Override
          public void failed(String why) {
            failed(HttpConnections.NoAnswer.LOST, why);
          }

          @Override
          public void failed(HttpConnections.NoAnswer what, String why) {
            thread.execute(() -> unanswered(task, call, what, why));
          }
        });
  }

  private void answered(CallTable.Task task, StoredCall call, HttpAnswer answer) {
    if (!task.isCurrent()) {
      return;
    }
    AnswerReader.Meaning meaning = AnswerReader.read(answer.status(), answer.body());
    if (meaning instanceof AnswerReader.Meaning.Answered answered) {
      outcomes.keep(task, answered.reply());
    } else if (meaning instanceof AnswerReader.Meaning.Again again) {
      again(task, call, again.reason(), again.counted(), answer.retryAfter());
    } else if (meaning instanceof AnswerReader.Meaning.Unusable unusable) {
      outcomes.bury(task, "The call was answered, and the answer cannot be used: " + unusable.reason());
    }
  }

  private void unanswered(CallTable.Task task, StoredCall call, HttpConnections.NoAnswer what, String why) {
    if (!task.isCurrent()) {
      return;
    }
    if (what == HttpConnections.NoAnswer.TOO_LONG) {
      outcomes.bury(task, "The call was answered, and the answer cannot be used: " + why);
    } else {
      again(task, call, why, what != HttpConnections.NoAnswer.NOT_SENT, Duration.ZERO);
    }
  }

  private void again(CallTable.Task task, StoredCall call, String reason, boolean counted, Duration atLeast) {
    if (counted && task.attempts() + 1 >= settings.attempts()) {
      outcomes.bury(task, "The last of " + settings.attempts() + " attempts failed: " + reason);
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
