package org.understudy.replication.runtime;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;

/** Gives each call its token and steps the core with it. A call at a halted replica fails. Thread-safe; does not block. */
final class CallIntake {
  private final String replica;
  private final PendingCalls calls;
  private final Predicate<Input> core;
  private final Supplier<String> halted;
  private final AtomicLong nextToken = new AtomicLong(1);

  /**
   * @param replica its name, for sentences
   * @param core takes inputs; false when it has halted
   * @param halted why, as the end of a sentence
   */
  CallIntake(String replica, PendingCalls calls, Predicate<Input> core, Supplier<String> halted) {
    this.replica = replica;
    this.calls = calls;
    this.core = core;
    this.halted = halted;
  }

  void submit(Request request, Call call) {
    String invalid = InputCheck.invalid(request);
    if (invalid != null) {
      call.fail(new Failure(FailureCode.BadRequest, "The request is invalid: " + invalid + "."));
      return;
    }
    long token = add(call);
    if (!core.test(new Input.Requested(token, request))) {
      // If the step itself failed, the call has its answer already.
      fail(token, " executed nothing: it has halted, because ", ". Send the request to another replica.");
    }
  }

  void recover(Map<ReplicaId, Long> lost, Call call) {
    long token = add(call);
    if (!core.test(new Input.Recover(token, Map.copyOf(lost)))) {
      fail(token, " has halted, because ", "; restart it.");
    }
  }

  private long add(Call call) {
    long token = nextToken.getAndIncrement();
    calls.add(token, call);
    return token;
  }

  private void fail(long token, String what, String then) {
    calls.fail(token, new Failure(FailureCode.NotReady, "Replica " + replica + what + halted.get() + then));
  }
}
