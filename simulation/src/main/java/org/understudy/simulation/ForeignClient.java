package org.understudy.simulation;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.understudy.client.invocation.NoAnswer;
import org.understudy.container.caller.Caller;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.simulation.SimulatedNetwork;
import org.understudy.replication.simulation.World;
import org.understudy.replication.simulation.checker.Action;
import org.understudy.replication.simulation.checker.Operation;

/** A client without the stub: it calls any replica, which forwards to the primary. */
final class ForeignClient {
  private static final long MILLISECOND = 1_000_000L;
  private static final ReadLevel[] LEVELS = {ReadLevel.LINEARIZABLE, ReadLevel.LOCAL};

  /** How it identifies itself. */
  enum Manner {
    /** With a {@code wsa:MessageID} and its own principal; retries when it has no answer. */
    NAMED,
    /** The same with another principal and the same ids. */
    OTHER_NAME,
    /** With a {@code wsa:MessageID}, without a principal. */
    ANONYMOUS,
    /** Without an identity: sends once. */
    WITHOUT_IDENTITY
  }

  private final ServiceSimulation simulation;
  private final World world;
  private final int number;
  private final Manner manner;
  private final Caller caller;
  /** The last number of a message id, by resource: ids of different resources and callers are equal. */
  private final Map<String, Integer> ids = new HashMap<>();
  private int open;

  ForeignClient(ServiceSimulation simulation, int number, Manner manner) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.number = number;
    this.manner = manner;
    String principal =
        switch (manner) {
          case NAMED -> "ann";
          case OTHER_NAME -> "bob";
          default -> "";
        };
    this.caller = new Caller(principal, "10.0.0." + number);
  }

  void start() {
    invokeNext();
  }

  boolean isIdle() {
    return open == 0;
  }

  private void invokeNext() {
    if (!simulation.working()) {
      return;
    }
    if (open < 2) {
      invoke(simulation.operation(name(), LEVELS), 1 + world.pick(simulation.size()), 0.3);
    }
    world.after(world.between(10 * MILLISECOND, 150 * MILLISECOND), this::invokeNext);
  }

  private String name() {
    return number + " (" + manner + ")";
  }

  /** Sends this replica a request: an update when the level is null. */
  void invokeAt(int replica, ReadLevel level) {
    String resource = simulation.anyResource();
    if (resource != null && open < 3) {
      invoke(simulation.invoked(name(), level == null ? Action.ADD : Action.READ, resource, level), replica, 0.3);
    }
  }

  /** Changes a resource through this replica, and waits without a deadline. */
  void probe(int replica) {
    String resource = simulation.anyResource();
    if (resource != null) {
      invoke(simulation.invoked(name(), Action.ADD, resource, null), replica, 0);
    }
  }

  private void invoke(Operation operation, int replica, double hasty) {
    String headers = "";
    boolean identified = manner != Manner.WITHOUT_IDENTITY;
    if (identified) {
      int id = ids.merge(operation.resource(), 1, Integer::sum);
      headers = "<wsa:MessageID xmlns:wsa=\"http://www.w3.org/2005/08/addressing\">urn:message:" + id + "</wsa:MessageID>";
    }
    String note = world.chance(0.2) ? "NotPrimary" : "";
    ServiceRequest request = ServiceRequest.of(operation, caller, headers, note, identified || !operation.update());
    open++;
    new Invocation(operation, request, world.chance(hasty)).attempt(replica);
  }

  /** One operation and its attempts. */
  private final class Invocation {
    private final Operation operation;
    private final ServiceRequest request;
    private final long patience;
    private int attempts;
    private boolean doubtful;
    private boolean over;

    Invocation(Operation operation, ServiceRequest request, boolean hasty) {
      this.operation = operation;
      this.request = request;
      this.patience = hasty ? world.between(20 * MILLISECOND, 400 * MILLISECOND) : 6_000 * MILLISECOND;
    }

    void attempt(int replica) {
      attempts++;
      boolean[] ended = new boolean[1];
      Transport.Exchange exchange =
          simulation.transport().send(SimulatedNetwork.FIRST_CLIENT + number - 1, replica, request, new Transport.Listener() {
            @Override
            public void answered(ServiceAnswer answer) {
              ended[0] = true;
              Invocation.this.answered(answer);
            }

            @Override
            public void lost(NoAnswer how, IOException error) {
              ended[0] = true;
              unanswered(how != NoAnswer.NOT_SENT);
            }
          });
      world.after(patience, () -> {
        if (!ended[0] && !over) {
          exchange.breakOff();
          unanswered(true);
        }
      });
    }

    private void answered(ServiceAnswer answer) {
      if (over) {
        return;
      }
      if (answer.reply() != null) {
        end();
        simulation.returned(operation, Result.decode(answer.bytes()), answer.reply());
        return;
      }
      Failure failure = answer.failure();
      if (failure.code() == FailureCode.DigestMismatch || failure.code() == FailureCode.BadRequest) {
        simulation.history().violation("identity", operation + " was refused: " + failure);
      }
      boolean stored = failure.code() == FailureCode.ExecutionFailed || failure.code() == FailureCode.TooLarge;
      if (stored) {
        end();
        operation.refused();
      } else if (failure.code() == FailureCode.ReplyDiscarded) {
        end();
        operation.unknown();
      } else {
        unanswered(failure.code().certainty() != Certainty.NOT_EXECUTED);
      }
    }

    /** @param perhaps whether it may have been executed */
    private void unanswered(boolean perhaps) {
      if (over) {
        return;
      }
      doubtful |= perhaps;
      boolean again = manner != Manner.WITHOUT_IDENTITY && attempts < 4 && world.chance(0.8);
      if (again) {
        world.after(world.between(0, 200 * MILLISECOND), () -> attempt(1 + world.pick(simulation.size())));
      } else {
        end();
        if (doubtful) {
          operation.unknown();
        } else {
          simulation.refused(operation);
        }
      }
    }

    private void end() {
      over = true;
      open--;
    }
  }
}
