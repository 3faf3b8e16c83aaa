package org.understudy.replication.simulation;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.TreeSet;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Reply;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.RequestKey;
import org.understudy.replication.simulation.checker.History;

/** A client as the stub is one: several invocations open, each asked again under its number until it has an answer. */
final class SimulatedClient {
  /** How a client makes itself known. */
  enum Manner {
    SESSION,
    MESSAGE_ID,
    /** Not at all: asks once and takes what comes. */
    NAMELESS
  }

  private static final long PATIENCE = 150_000_000;

  private final Simulation simulation;
  private final World world;
  private final int number;
  private final Manner manner;
  private final SessionId session;
  private final TreeSet<Long> open = new TreeSet<>();
  private long sequence = 1;
  private boolean opened;
  private VersionHandle handle = VersionHandle.INITIAL;
  private int done;
  private long bit = 1;

  SimulatedClient(Simulation simulation, int number, Manner manner) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.number = number;
    this.manner = manner;
    this.session = new SessionId(number, 7);
  }

  void start() {
    startScripted();
    invokeNext();
  }

  /** Invokes nothing by itself. */
  void startScripted() {
    if (manner == Manner.SESSION) {
      openSession(1);
    } else {
      opened = true;
    }
  }

  int number() {
    return number;
  }

  boolean isOpened() {
    return opened;
  }

  /** Asks any replica, and goes on until there is an answer. */
  History.Operation ask(int counter, ReadLevel level, long amount) {
    return invoke("shared" + counter, level, amount, number);
  }

  boolean idle() {
    return open.isEmpty() && opened;
  }

  private void openSession(int attempt) {
    Request request = new Request(
        new RequestKey.OfSession(session, 0), 0, Request.Kind.OPEN_SESSION, null, VersionHandle.INITIAL, 0, "");
    send(target(attempt), new Call(request, "", 0, answer -> {
      if (answer instanceof Reply reply) {
        opened = true;
        handle = reply.handle().compareTo(handle) > 0 ? reply.handle() : handle;
      }
    }));
    world.after(PATIENCE, () -> {
      if (!opened) {
        openSession(attempt + 1);
      }
    });
  }

  private int target(int attempt) {
    return 1 + (number + attempt) % simulation.size();
  }

  private void send(int replica, Call call) {
    int me = 1_000 + number;
    Call back = new Call(call.request(), call.resource(), call.amount(),
        answer -> simulation.network().send(replica, me, () -> call.answer().accept(answer)));
    boolean[] came = new boolean[1];
    simulation.network().send(me, replica, () -> {
      // Nobody can tell the copies of a nameless request apart; TCP does not make any.
      if (manner != Manner.NAMELESS || !came[0]) {
        came[0] = true;
        simulation.replica(replica).request(back);
      }
    });
  }

  private void invokeNext() {
    if (!simulation.working()) {
      return;
    }
    if (opened && open.size() < 3) {
      invoke();
    }
    world.after(world.between(5_000_000, 120_000_000), this::invokeNext);
  }

  private void invoke() {
    boolean update = manner == Manner.NAMELESS || world.chance(0.55);
    ReadLevel level = update ? null : ReadLevel.values()[world.pick(3)];
    invoke(world.pick(2), level, world.pick(3));
  }

  /** Asks this replica first: to change a counter that others use too, or to read it. */
  void invokeAt(int replica, int counter, ReadLevel level) {
    if (opened && open.size() < 4 && manner != Manner.NAMELESS) {
      invoke(counter, level, replica + simulation.size() - 2);
    }
  }

  private void invoke(int counter, ReadLevel level, int place) {
    boolean nameless = manner == Manner.NAMELESS;
    if (nameless && (bit <= 0 || !open.isEmpty())) {
      return;
    }
    String resource = nameless ? "nameless" + number : "shared" + counter;
    long amount = level != null ? 0 : nameless ? bit : 1 + world.pick(1_000);
    if (nameless) {
      bit <<= 1;
    }
    invoke(resource, level, amount, place);
  }

  private History.Operation invoke(String resource, ReadLevel level, long amount, int place) {
    History.Operation operation =
        simulation.history().invoked(number, manner.name(), resource, level, amount, world.now(), done);
    Invocation invocation = new Invocation(sequence++, operation, place);
    open.add(invocation.sequence);
    invocation.attempt();
    return operation;
  }

  /** One operation, attempt after attempt. */
  private final class Invocation {
    private final long sequence;
    private final History.Operation operation;
    private final int place;
    private int attempts;
    private byte[] answer;
    private boolean over;

    Invocation(long sequence, History.Operation operation, int place) {
      this.sequence = sequence;
      this.operation = operation;
      this.place = place;
    }

    private RequestKey key() {
      return switch (manner) {
        case SESSION -> new RequestKey.OfSession(session, sequence);
        case MESSAGE_ID -> operation.level() == null ? new RequestKey.OfMessageId(number, sequence) : null;
        case NAMELESS -> null;
      };
    }

    private Request request(long digest) {
      Request.Kind kind = operation.level() == null ? Request.Kind.UPDATE : Request.Kind.READ;
      long below = manner == Manner.SESSION ? open.isEmpty() ? sequence : Math.min(open.first(), sequence) : 0;
      return new Request(key(), digest, kind, operation.level(), handle, below, "");
    }

    void attempt() {
      if (over) {
        return;
      }
      attempts++;
      send(1 + (place + attempts) % simulation.size(),
          new Call(request(sequence), operation.resource(), operation.amount(), this::answered));
      world.after(PATIENCE + world.between(0, PATIENCE), () -> {
        if (manner == Manner.NAMELESS && !over) {
          operation.unknown();
          end();
        } else {
          attempt();
        }
      });
    }

    private void answered(Object what) {
      if (what instanceof Reply reply) {
        result(reply);
      } else if (!over && what instanceof Failure failure) {
        failed(failure);
      }
    }

    private void result(Reply reply) {
      boolean update = operation.level() == null;
      if (answer != null && update && !Arrays.equals(answer, reply.response().body())) {
        simulation.history().violation("replay", operation + " was answered in two ways");
      }
      if (over) {
        return;
      }
      answer = reply.response().body();
      if (reply.handle().compareTo(handle) > 0) {
        handle = reply.handle();
      }
      operation.returned(ByteBuffer.wrap(answer).getLong(), world.now());
      end();
      if (manner == Manner.SESSION && update) {
        misbehave();
      }
    }

    private void failed(Failure failure) {
      if (manner == Manner.NAMELESS) {
        if (failure.code().certainty() == Certainty.NOT_EXECUTED) {
          operation.refused();
        } else {
          operation.unknown();
        }
        end();
      } else if (failure.code() == FailureCode.SessionExpired || failure.code() == FailureCode.StaleSequence
          || failure.code() == FailureCode.DigestMismatch) {
        simulation.history().violation("session", operation + " was refused: " + failure);
      }
    }

    private void end() {
      over = true;
      done++;
      world.after(world.between(0, 200_000_000), () -> open.remove(sequence));
    }

    /** Sometimes asks what must be refused. */
    private void misbehave() {
      if (world.chance(0.1) && open.contains(sequence)) {
        expect(request(-1), FailureCode.DigestMismatch);
      } else if (world.chance(0.1)) {
        Request stranger = new Request(new RequestKey.OfSession(new SessionId(99, 99), 1), 0, Request.Kind.UPDATE,
            null, VersionHandle.INITIAL, 0, "");
        expect(stranger, FailureCode.SessionExpired);
      } else if (world.chance(0.3)) {
        // Asks for it again long after having said that it has the answer.
        world.after(world.between(300_000_000, 600_000_000), () -> {
          if (!open.contains(sequence)) {
            expect(request(sequence), FailureCode.StaleSequence);
          }
        });
      }
    }

    private void expect(Request request, FailureCode expected) {
      send(target(world.pick(3)), new Call(request, "refused", 1, what -> {
        if (what instanceof Reply reply && reply.status() == Reply.Status.EXECUTED) {
          simulation.history().violation("refusal", request + " was executed, not refused as " + expected);
        } else if (what instanceof Reply && expected != FailureCode.StaleSequence) {
          simulation.history().violation("refusal", request + " was answered, not refused as " + expected);
        }
      }));
    }
  }
}
