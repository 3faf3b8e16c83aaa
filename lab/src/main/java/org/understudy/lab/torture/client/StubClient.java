package org.understudy.lab.torture.client;

import jakarta.xml.ws.WebServiceException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.client.Transaction;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.lab.torture.client.CounterContract.CounterPort;
import org.understudy.lab.torture.client.TransactionScript.Ending;
import org.understudy.lab.torture.history.ClientTransaction.Request;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Outcome;
import org.understudy.lab.torture.history.TransactionOutcome;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;

/** A client with the stub, as an application has it. */
final class StubClient implements CounterClient {
  private final FaultTolerantGroup group;
  private final List<CounterPort> ports = new ArrayList<>();

  /**
   * @param services the service at each replica
   * @param counters how many
   */
  StubClient(List<URI> services, CounterContract contract, int counters, Duration deadline) {
    group = FaultTolerant.group(FaultTolerance.custom().replicas(services).connectTimeout(Duration.ofMillis(500))
        .responseTimeout(deadline.dividedBy(4)).deadline(deadline).build());
    for (int i = 0; i < counters; i++) {
      ports.add(contract.port(group, services.get(0), i));
    }
  }

  @Override
  public Attempt add(int counter, int amount) {
    try {
      return new Attempt(Outcome.OK, ports.get(counter).add(amount), 0);
    } catch (WebServiceException e) {
      boolean none = InvocationFailedException.in(e).filter(failed -> failed.certainty() == Certainty.NOT_EXECUTED).isPresent();
      return new Attempt(none ? Outcome.FAIL : Outcome.UNKNOWN, 0, 0);
    }
  }

  @Override
  public Attempt read(int counter, Level level) {
    CounterPort port = ports.get(counter);
    port.stub().getRequestContext().put(FaultTolerant.READ_LEVEL, ReadLevel.valueOf(level.name().toUpperCase(Locale.ROOT)));
    try {
      OptionalInt value = port.value(level);
      return new Attempt(value.isPresent() ? Outcome.OK : Outcome.FAIL, value.orElse(0), 0);
    } catch (WebServiceException e) {
      return new Attempt(Outcome.FAIL, 0, 0);
    }
  }

  @Override
  public void transact(TransactionScript script, TransactionRecorder recorder) {
    Object[] others = script.calls().stream().map(call -> ports.get(call.counter()).stub()).distinct().toArray();
    try (Transaction transaction = Transaction.begin(others[0], Arrays.copyOfRange(others, 1, others.length))) {
      boolean known = true;
      for (TransactionScript.Call call : script.calls()) {
        known = known && call(call, recorder);
      }
      if (known && script.ending() != Ending.ABORT) {
        end(Request.COMMIT, TransactionOutcome.COMMITTED, transaction::commit, recorder);
      } else {
        end(Request.ABORT, TransactionOutcome.ABORTED, transaction::abort, recorder);
      }
      recorder.end();
    } catch (InvocationFailedException e) {
      // It was not begun.
    }
  }

  /** Returns whether it is known what the call has done. */
  private boolean call(TransactionScript.Call call, TransactionRecorder recorder) {
    CounterPort port = ports.get(call.counter());
    long invoked = recorder.now();
    try {
      port.stub().getRequestContext().put(FaultTolerant.READ_LEVEL, ReadLevel.LINEARIZABLE);
      recorder.called(call, call.amount() == 0 ? port.value(Level.LINEARIZABLE).orElseThrow() : port.add(call.amount()), invoked);
      return true;
    } catch (WebServiceException e) {
      Optional<InvocationFailedException> failed = InvocationFailedException.in(e);
      if (failed.filter(StubClient::aborted).isPresent()) {
        recorder.answered(Request.CALL, TransactionOutcome.ABORTED, 0, invoked, recorder.now());
      }
      return failed.filter(known -> known.certainty() == Certainty.NOT_EXECUTED).isPresent();
    }
  }

  private static boolean aborted(InvocationFailedException failed) {
    return failed.code().filter(code -> code == FailureCode.TransactionAborted).isPresent();
  }

  /** A request of the stub. */
  private interface End {
    void run() throws InvocationFailedException;
  }

  private static void end(Request request, TransactionOutcome done, End end, TransactionRecorder recorder) {
    long invoked = recorder.now();
    TransactionOutcome outcome;
    try {
      end.run();
      outcome = done;
    } catch (InvocationFailedException e) {
      // A commit that was certainly not executed is never asked for again.
      boolean none = aborted(e) || request == Request.COMMIT && e.certainty() == Certainty.NOT_EXECUTED;
      outcome = none ? TransactionOutcome.ABORTED : TransactionOutcome.UNKNOWN;
    }
    recorder.answered(request, outcome, 0, invoked, recorder.now());
  }

  @Override
  public void close() {
    group.close();
  }
}
