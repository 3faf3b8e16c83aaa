package org.understudy.simulation;

import org.understudy.container.execution.Execution;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.UnknownResourceException;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.replication.simulation.SimulatedReplica;
import org.understudy.replication.simulation.World;
import org.understudy.replication.simulation.checker.ExecutedUpdate;
import org.understudy.replication.simulation.checker.Observation;
import org.understudy.replication.simulation.checker.Operation;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;

/** One request at a replica, as an exchange of the container: parked, permitted, executed on its resource, answered. */
final class ServiceCall implements Call {
  private static final long MILLISECOND = 1_000_000;

  private enum Turn {
    PARKED,
    /** The execution is permitted, and has not begun. */
    GRANTED,
    RUNNING,
    ANSWERED
  }

  /** The faults of an execution. */
  private enum Mishap {
    NONE,
    METHOD_THROWS,
    CAPTURE_THROWS,
    TOO_LARGE,
    /** As when memory runs out: only the end of the execution handles it. */
    ERROR_ESCAPES
  }

  private final SimulatedContainer container;
  private final ServiceSimulation simulation;
  private final World world;
  private final SimulatedReplica host;
  private final ServiceRequest request;
  private final RequestEnvelope envelope;
  private final SimulatedContainer.Client client;
  private final Reservation reservation;
  private final long arrived;
  private Turn turn = Turn.PARKED;
  private long token;
  private Failure refusal;
  /** The read continues beside an update, on a copy. */
  private boolean copied;
  private boolean answered;
  /** Executions that have been permitted and have not ended. */
  private int executing;

  ServiceCall(
      SimulatedContainer container,
      ServiceRequest request,
      RequestEnvelope envelope,
      SimulatedContainer.Client client,
      Reservation reservation) {
    this.container = container;
    this.simulation = container.simulation();
    this.world = simulation.world();
    this.host = container.host();
    this.request = request;
    this.envelope = envelope;
    this.client = client;
    this.reservation = reservation;
    this.arrived = world.now();
  }

  @Override
  public String toString() {
    return turn + " " + (request.operation() == null ? request.kind() : request.operation());
  }

  // ------------------------------------------------------------------------------------------------ from the replica

  @Override
  public void execute(long granted, Request.Kind kind) {
    token = granted;
    container.permissions().granted(granted);
    boolean known = client.isGone() && world.chance(0.5);
    boolean again = turn == Turn.RUNNING && !answered;
    if (again) {
      simulation.count("executed again");
    }
    if (turn != Turn.PARKED && !again || request.operation() == null || known) {
      // The container has noticed that the client has disconnected.
      turn = turn == Turn.PARKED ? Turn.ANSWERED : turn;
      container.permissions().abandoned(granted);
      return;
    }
    turn = Turn.GRANTED;
    executing++;
    host.after(pause(), this::begin);
  }

  @Override
  public void reply(Reply reply) {
    if (request.operation() != null && request.operation().update()) {
      simulation.answered(request.operation(), reply);
    }
    answer(container.result(request, reply));
  }

  @Override
  public void fail(Failure failure) {
    Failure reported = refusal == null ? failure : refusal;
    if (!answered && refusal == null && container.retries(request, envelope, failure, arrived)) {
      conclude();
      container.places().passOn();
      container.forward(request, envelope, client, failure.code().certainty() != Certainty.NOT_EXECUTED, arrived, reservation);
      return;
    }
    answer(container.refusal(reported));
  }

  private void answer(ServiceAnswer answer) {
    if (answered) {
      return;
    }
    conclude();
    boolean pending = refusal != null || answer.failure() != null && answer.failure().code() == FailureCode.StillPending;
    if (request.operation() != null && !(pending && simulation.has(Mutant.PLACE_KEPT_WHEN_PENDING))) {
      container.places().done(reservation);
    }
    client.answer(answer);
  }

  private void conclude() {
    answered = true;
    if (turn == Turn.GRANTED) {
      executing--;
      container.permissions().abandoned(token);
    }
    turn = Turn.ANSWERED;
    endIfOver();
  }

  private void endIfOver() {
    if (answered && executing == 0) {
      container.ended(this);
    }
  }

  // ------------------------------------------------------------------------------------------------ the execution

  /** Usually short; occasionally long enough for a view change. */
  private long pause() {
    return world.chance(0.03) ? world.between(0, 1_200 * MILLISECOND)
        : world.chance(0.3) ? world.between(0, 4 * MILLISECOND) : 0;
  }

  private void begin() {
    if (turn != Turn.GRANTED) {
      return;
    }
    turn = Turn.RUNNING;
    Execution execution = new Execution(container.permissions(), token, true);
    String key = simulation.oneResource() ? Resources.SERVICE : request.resource();
    ResourceTransaction transaction = container.resources().transaction(key, !request.operation().update());
    boolean[] over = new boolean[1];
    copied = false;
    Runnable in = () -> {
      if (!over[0]) {
        over[0] = true;
        host.after(0, () -> run(execution, transaction));
      }
    };
    if (transaction.request(in)) {
      run(execution, transaction);
    } else if (!request.operation().update() && world.chance(0.5) && transaction.readCopy()) {
      over[0] = true;
      copied = true;
      simulation.count("reads of copies");
      run(execution, transaction);
    } else if (simulation.has(Mutant.LOCK_IGNORED)) {
      in.run();
    } else {
      host.after(transaction.mayWait() ? simulation.patienceNanos() : 0, () -> giveUp(execution, transaction, over));
    }
  }

  private void giveUp(Execution execution, ResourceTransaction transaction, boolean[] over) {
    boolean withdrawn = simulation.has(Mutant.WAITER_STAYS_IN_QUEUE) ? !over[0] : transaction.withdraw();
    if (!withdrawn) {
      return;
    }
    over[0] = true;
    simulation.count("occupied");
    refusal = SimulatedContainer.occupied(transaction.occupied(simulation.patienceNanos() / MILLISECOND).getMessage());
    if (simulation.has(Mutant.WAITER_KEEPS_PERMISSION)) {
      answer(container.refusal(refusal));
    } else {
      execution.close();
    }
    executionEnded();
  }

  private void executionEnded() {
    executing--;
    endIfOver();
  }

  private void run(Execution execution, ResourceTransaction transaction) {
    execution.entered(transaction);
    Counter counter;
    try {
      transaction.begin();
      Counter object = (Counter) transaction.object();
      counter = copied && simulation.has(Mutant.OLD_COPY) ? container.oldCopy(transaction.key(), object) : object;
    } catch (RuntimeException e) {
      simulation.history().violation("restored state", "a state that was captured cannot be restored: " + e);
      return;
    }
    long before = counter == null ? 0 : counter.value;
    host.after(pause() + world.between(0, 3 * MILLISECOND), () -> method(execution, transaction, counter, before));
  }

  /** The service method: it read the resource when it began, and writes it now. */
  private void method(Execution execution, ResourceTransaction transaction, Counter counter, long before) {
    Operation operation = request.operation();
    boolean present = counter != null;
    Observation seen = new Observation(false, present, present ? counter.value : 0, present ? counter.writer : 0);
    String resource = operation.resource();
    boolean effective = operation.update() && (present || request.resource() == null && !simulation.oneResource());
    Mishap mishap = effective && world.chance(0.03) ? Mishap.values()[1 + world.pick(4)] : Mishap.NONE;
    if (effective) {
      long writer = simulation.nextExecution();
      switch (operation.action()) {
        case ADD -> {
          counter.value = before + operation.amount();
          counter.writer = writer;
          seen = new Observation(true, true, counter.value, writer);
          damage(counter, mishap);
        }
        case CREATE -> {
          Counter made = new Counter();
          made.value = operation.amount();
          made.writer = writer;
          resource = transaction.create(made, null);
          simulation.created(writer, resource);
          seen = new Observation(true, true, made.value, writer);
          damage(made, mishap);
        }
        default -> {
          try {
            transaction.destroyCurrent();
            seen = new Observation(true, false, 0, 0);
          } catch (UnknownResourceException e) {
            // This replica has lost its role meanwhile: nothing of this will be committed.
            seen = new Observation(false, false, 0, 0);
          }
        }
      }
      transaction.append(ExecutedUpdate.LOG, ExecutedUpdate.bytes(writer, operation.number()));
    }
    byte[] body = new Result(seen, resource).encode(world.number(), request.note());
    end(execution, transaction, new Response((byte) 0, body), mishap);
  }

  private static void damage(Counter counter, Mishap mishap) {
    counter.brittle = mishap == Mishap.CAPTURE_THROWS;
    counter.padding = mishap == Mishap.TOO_LARGE ? 2_000 : 0;
  }

  private void end(Execution execution, ResourceTransaction transaction, Response response, Mishap mishap) {
    boolean failed = mishap == Mishap.ERROR_ESCAPES;
    if (mishap != Mishap.NONE) {
      simulation.count("mishaps");
    }
    if (!failed) {
      Outcome outcome = response;
      try {
        if (mishap == Mishap.METHOD_THROWS) {
          throw new IllegalStateException("simulated: the method throws");
        }
        execution.capture();
      } catch (RuntimeException e) {
        failed = true;
        outcome = new Failure(FailureCode.ExecutionFailed, e.getMessage());
      }
      execution.end(outcome);
      if (simulation.has(Mutant.LOCK_RELEASED_BEFORE_DECISION)) {
        transaction.release();
      }
    }
    boolean leaves = !failed || !simulation.has(Mutant.LOCK_KEPT_AFTER_ERROR);
    host.after(world.between(0, MILLISECOND), () -> {
      if (leaves) {
        execution.close();
      }
      executionEnded();
    });
  }
}
