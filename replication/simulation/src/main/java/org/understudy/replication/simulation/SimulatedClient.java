package org.understudy.replication.simulation;

import java.util.Arrays;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.simulation.checker.Action;
import org.understudy.replication.simulation.checker.Observation;
import org.understudy.replication.simulation.checker.Operation;

/**
 * A client like the stub: several open invocations, each retried under its number until it has an answer.
 *
 * <p>More than 400 lines because every action of a client, valid or not, changes its one record of what it may expect.
 */
final class SimulatedClient {
  /** How a client identifies itself. */
  enum Manner {
    SESSION,
    MESSAGE_ID,
    /** Without an identity: sends once and accepts any answer. */
    NAMELESS
  }

  private static final long PATIENCE = 150_000_000;
  private static final long SECOND = 1_000_000_000;

  private final Simulation simulation;
  private final World world;
  private final int number;
  private final Manner manner;
  private final TreeSet<Long> open = new TreeSet<>();
  private SessionId session;
  /** The nonce of the current session. */
  private RequestKey.OfNonce opening;
  private int sessions;
  private long sequence = 1;
  private boolean opened;
  /** Does not abandon its session. */
  private boolean scripted;
  /** The shortest time after which it sends a request again. */
  private long patience = PATIENCE;
  /** How its last request was refused that it does not send again; null before. */
  private FailureCode refusal;
  /** When the last request was sent that kept this session alive at the primary, as far as is known. */
  private long aliveAt;
  private Attempt lastUpdate;
  private VersionHandle handle = VersionHandle.INITIAL;

  SimulatedClient(Simulation simulation, int number, Manner manner) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.number = number;
    this.manner = manner;
  }

  void start() {
    open();
    invokeNext();
    if (manner == Manner.SESSION && world.chance(0.3)) {
      world.after(world.between(SECOND, 6 * SECOND), this::giveUp);
    }
  }

  /** Invokes nothing on its own. */
  void startScripted() {
    scripted = true;
    open();
  }

  private void open() {
    if (manner == Manner.SESSION) {
      newSession();
    } else {
      opened = true;
    }
  }

  int number() {
    return number;
  }

  /** Of the client of its operations. */
  String name() {
    return name(number, manner);
  }

  static String name(int number, Manner manner) {
    return number + " (" + manner + ")";
  }

  /** Waits for each answer, and sends nothing a second time, also when it is refused. */
  void waitForAnswers() {
    patience = Long.MAX_VALUE / 4;
  }

  /** How its last request was refused that it does not send again; null before. */
  FailureCode refusal() {
    return refusal;
  }

  boolean isOpened() {
    return opened;
  }

  /** Invokes at any replica, and retries until there is an answer. */
  Operation ask(Action action, int resource, ReadLevel level, long amount) {
    return invoke(action, "shared" + resource, level, amount, number);
  }

  /** Like the other, and tries this replica first. */
  Operation askAt(int replica, Action action, int resource, ReadLevel level, long amount) {
    return invoke(action, "shared" + resource, level, amount, replica + simulation.size() - 2);
  }

  /** Reads at this replica a version that no replica has yet. */
  void readAhead(int replica, Consumer<Object> answer) {
    VersionHandle ahead = VersionHandle.ofGroup(handle.epoch(), handle.position() + 1_000);
    Request read = new Request(null, 0, Request.Kind.READ, ReadLevel.SESSION, ahead, 0, "", owner());
    send(replica, new Attempt(read, null, answer));
  }

  /** Reads at this replica, linearizable and without a retry. */
  void readOnce(int replica, Consumer<Object> answer) {
    Request read = new Request(null, 0, Request.Kind.READ, ReadLevel.LINEARIZABLE, handle, 0, "", owner());
    Operation operation =
        simulation.history().invoked(number + " (once)", Action.READ, "shared0", ReadLevel.LINEARIZABLE, 0, world.now());
    operation.unknown();
    send(replica, new Attempt(read, operation, answer));
  }

  /** Adds at this replica, without an identity and without a retry. */
  void addOnce(int replica, long amount) {
    Request update = new Request(null, 0, Request.Kind.UPDATE, null, handle, 0, "", owner());
    addAs(replica, update, amount);
  }

  /** Adds at this replica by a message id, and soon afterwards repeats the request with a handle of a later view. */
  void addTwice(int replica, long amount) {
    RequestKey key = new RequestKey.OfMessageId(number, Long.MAX_VALUE);
    Attempt first = addAs(replica, new Request(key, 0, Request.Kind.UPDATE, null, handle, 0, "", owner()), amount);
    VersionHandle later = VersionHandle.ofGroup(handle.epoch() + 1, handle.position());
    Request again = new Request(key, 0, Request.Kind.UPDATE, null, later, 0, "", owner());
    world.after(SECOND / 20, () -> send(replica, new Attempt(again, first.operation(), first.answer())));
  }

  private Attempt addAs(int replica, Request update, long amount) {
    Operation operation = simulation.history().invoked(number + " (once)", Action.ADD, "shared0", null, amount, world.now());
    Attempt attempt = new Attempt(update, operation, answer -> {
      if (operation.end() == Operation.End.REFUSED) {
        // The client has taken it for not executed.
        return;
      }
      if (answer instanceof Reply reply) {
        operation.returned(Observation.decode(reply.response().body()), reply.handle().position(), world.now());
      } else if (answer instanceof Failure failure && failure.code().certainty() == Certainty.NOT_EXECUTED) {
        operation.refused();
      } else {
        operation.unknown();
      }
    });
    send(replica, attempt);
    return attempt;
  }

  boolean idle() {
    return open.isEmpty() && opened;
  }

  // ------------------------------------------------------------------------------------------------ sessions

  private void newSession() {
    opened = false;
    open.clear();
    session = null;
    lastUpdate = null;
    opening = new RequestKey.OfNonce(number, 7 + 10L * sessions++);
    sequence = 1;
    openSession(opening, 1);
  }

  private void openSession(RequestKey.OfNonce nonce, int attempt) {
    Request request = opening(nonce);
    long sentAt = world.now();
    Attempt opener = new Attempt(request, null, answer -> {
      if (answer instanceof Reply reply && nonce.equals(opening) && !opened) {
        opened = true;
        aliveAt = sentAt;
        session = SessionId.ofBytes(reply.response().body());
        handle = reply.handle().isAfter(handle) ? reply.handle() : handle;
      }
    });
    send(target(attempt), opener);
    world.after(PATIENCE, () -> {
      if (!opened && nonce.equals(opening)) {
        openSession(nonce, attempt + 1);
      }
    });
  }

  /** Closes its session, and continues as if it had not. */
  void close() {
    sendToAll(new Attempt(closing(session), null, answer -> {}));
  }

  /** Renews its session at this replica, without a retry. */
  void renew(int replica, Consumer<Object> answer) {
    Request renewal =
        new Request(
            new RequestKey.OfSession(session, 0), 0, Request.Kind.RENEW_SESSION, null, VersionHandle.INITIAL, 0, "", owner());
    send(replica, new Attempt(renewal, null, answer));
  }

  /** A late duplicate of its OpenSession arrives at every replica. */
  void repeatOpenSession() {
    sendToAll(new Attempt(opening(opening), null, answer -> {}));
  }

  /** A late duplicate of its last update arrives at every replica. */
  void repeatLastUpdate() {
    sendToAll(lastUpdate);
  }

  private Request opening(RequestKey.OfNonce nonce) {
    return new Request(nonce, 0, Request.Kind.OPEN_SESSION, null, VersionHandle.INITIAL, 0, "", owner());
  }

  private Request closing(SessionId id) {
    return new Request(
        new RequestKey.OfSession(id, 0), 0, Request.Kind.CLOSE_SESSION, null, VersionHandle.INITIAL, 0, "", owner());
  }

  /** Abandons everything, closes the session or not, and returns as a new client. */
  private void giveUp() {
    if (!opened || !simulation.working()) {
      return;
    }
    SessionId old = session;
    RequestKey.OfNonce nonce = opening;
    if (world.chance(0.6)) {
      sendToAll(new Attempt(closing(old), null, answer -> {}));
      Attempt update = lastUpdate;
      if (update != null && world.chance(0.5)) {
        // Late duplicates of the session's opening and of a request in it.
        long late = world.between(SECOND / 2, 2 * SECOND);
        Attempt open = new Attempt(opening(nonce), null, answer -> {});
        world.after(late, () -> sendToAll(open));
        world.after(late + SECOND / 10, () -> sendToAll(update));
      }
    }
    newSession();
  }

  /** The session has ended; that is correct if this client was silent for a lease. */
  private void expired(Operation operation, Failure failure) {
    long lease = simulation.limits().core().sessionLeaseNanos();
    if (world.now() - aliveAt < lease * 9 / 10) {
      simulation.history().violation("session", operation + " was refused: " + failure);
    }
    newSession();
  }

  // ------------------------------------------------------------------------------------------------ invocations

  private void sendToAll(Attempt attempt) {
    for (int replica = 1; replica <= simulation.size(); replica++) {
      send(replica, attempt);
    }
  }

  private String owner() {
    return "client " + number;
  }

  private int target(int attempt) {
    return 1 + (number + attempt) % simulation.size();
  }

  private void send(int replica, Attempt attempt) {
    int me = 1_000 + number;
    Attempt back = new Attempt(attempt.request(), attempt.operation(),
        answer -> simulation.network().send(replica, me, () -> attempt.answer().accept(answer)));
    boolean[] came = new boolean[1];
    simulation.network().send(me, replica, () -> {
      // Duplicates of a request without identity cannot be detected; TCP makes none.
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
    boolean rests = world.chance(0.01);
    world.after(rests ? world.between(SECOND, 3 * SECOND) : world.between(5_000_000, 120_000_000), this::invokeNext);
  }

  private void invoke() {
    boolean update = manner == Manner.NAMELESS || world.chance(0.55);
    if (manner == Manner.NAMELESS && !open.isEmpty()) {
      return;
    }
    ReadLevel level = update ? null : ReadLevel.values()[world.pick(3)];
    int which = world.pick(4);
    // Two resources always exist; two are created and destroyed.
    String resource = which < 2 ? "shared" + which : "made" + which;
    Action action = !update ? Action.READ
        : which < 2 || world.chance(0.5) ? Action.ADD : world.chance(0.6) ? Action.CREATE : Action.DESTROY;
    invoke(action, resource, level, 1 + world.pick(1_000), world.pick(3));
  }

  /** Tries this replica first: to change a resource that others use too, or to read it. */
  void invokeAt(int replica, int resource, ReadLevel level) {
    if (opened && open.size() < 4 && manner != Manner.NAMELESS) {
      Action action = level == null ? Action.ADD : Action.READ;
      invoke(action, "shared" + resource, level, 1 + world.pick(1_000), replica + simulation.size() - 2);
    }
  }

  private Operation invoke(Action action, String resource, ReadLevel level, long amount, int place) {
    long change = action == Action.READ || action == Action.DESTROY ? 0 : amount;
    Operation operation =
        simulation.history().invoked(name(), action, resource, level, change, world.now());
    Invocation invocation = new Invocation(operation, place);
    open.add(invocation.sequence);
    invocation.attempt();
    return operation;
  }

  /** One operation, attempt after attempt. */
  private final class Invocation {
    private final SessionId of = session;
    private final long sequence = SimulatedClient.this.sequence++;
    private final Operation operation;
    private final int place;
    private int attempts;
    private byte[] answer;
    private boolean over;

    Invocation(Operation operation, int place) {
      this.operation = operation;
      this.place = place;
    }

    private RequestKey key() {
      return switch (manner) {
        case SESSION -> new RequestKey.OfSession(of, sequence);
        case MESSAGE_ID -> operation.update() ? new RequestKey.OfMessageId(number, sequence) : null;
        case NAMELESS -> null;
      };
    }

    private Request request(long digest) {
      Request.Kind kind = operation.update() ? Request.Kind.UPDATE : Request.Kind.READ;
      long below = manner != Manner.SESSION || isOld() ? 0 : open.isEmpty() ? sequence : Math.min(open.first(), sequence);
      return new Request(key(), digest, kind, operation.level(), handle, below, "", owner());
    }

    /** Whether the client has abandoned the session that this belongs to. */
    private boolean isOld() {
      return of != session;
    }

    void attempt() {
      if (over) {
        return;
      }
      if (isOld()) {
        operation.unknown();
        over = true;
        return;
      }
      attempts++;
      Attempt attempt = new Attempt(request(sequence), operation, this::answered);
      if (operation.update()) {
        lastUpdate = attempt;
      }
      send(1 + (place + attempts) % simulation.size(), attempt);
      if (manner != Manner.NAMELESS && !scripted && world.chance(0.02)) {
        // A duplicate that the network has delayed for long.
        world.after(world.between(100_000_000, 3 * SECOND), () -> send(target(world.pick(3)), attempt));
      }
      world.after(patience + world.between(0, PATIENCE), () -> {
        boolean givesUp = manner == Manner.NAMELESS || (attempts > 1 && !scripted && simulation.working() && world.chance(0.01));
        if (givesUp && !over) {
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
      } else if (!over && !isOld() && what instanceof Failure failure) {
        failed(failure);
      }
    }

    private void result(Reply reply) {
      byte[] body = reply.response().body();
      if (answer != null && operation.update() && !Arrays.equals(answer, body)) {
        simulation.history().violation("replay", operation + " was answered in two ways");
      }
      if (over || isOld()) {
        return;
      }
      answer = body;
      if (operation.update()) {
        // An earlier attempt may have been executed; none was sent before this.
        aliveAt = Math.max(aliveAt, operation.invokedAt());
      }
      if (reply.handle().isAfter(handle)) {
        handle = reply.handle();
      }
      operation.returned(Observation.decode(answer), reply.handle().position(), world.now());
      end();
      if (manner == Manner.SESSION && operation.update() && !scripted) {
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
      } else if (failure.code() == FailureCode.SessionExpired) {
        operation.unknown();
        end();
        expired(operation, failure);
      } else if (patience != PATIENCE && failure.code().certainty() == Certainty.NOT_EXECUTED) {
        refusal = failure.code();
        operation.refused();
        end();
      } else if (failure.code() == FailureCode.TooLarge || failure.code() == FailureCode.ExecutionFailed) {
        operation.refused();
        end();
      } else if (failure.code() == FailureCode.ReplyDiscarded) {
        operation.unknown();
        end();
      } else if (failure.code() == FailureCode.StaleSequence
          || failure.code() == FailureCode.DigestMismatch
          || failure.code() == FailureCode.BadRequest && !scripted) {
        simulation.history().violation("session", operation + " was refused: " + failure);
      }
    }

    private void end() {
      over = true;
      world.after(world.between(0, 200_000_000), () -> {
        if (!isOld()) {
          open.remove(sequence);
        }
      });
    }

    /** Sometimes sends a request that must be refused. */
    private void misbehave() {
      if (world.chance(0.1) && open.contains(sequence)) {
        expect(request(-1), FailureCode.DigestMismatch);
      } else if (world.chance(0.1)) {
        Request stranger = new Request(new RequestKey.OfSession(new SessionId(99, 99), 1), 0, Request.Kind.UPDATE,
            null, VersionHandle.INITIAL, 0, "", owner());
        expect(stranger, FailureCode.SessionExpired);
      } else if (world.chance(0.3)) {
        // Repeats it long after having acknowledged the answer.
        world.after(world.between(300_000_000, 600_000_000), () -> {
          if (!isOld() && !open.contains(sequence)) {
            send(target(world.pick(3)), new Attempt(request(sequence), operation, this::answered));
          }
        });
      }
    }

    private void expect(Request request, FailureCode expected) {
      Operation refused = simulation.history()
          .invoked(number + " (to be refused)", Action.ADD, "shared0", null, 1, world.now());
      refused.refused();
      send(target(world.pick(3)), new Attempt(request, refused, what -> {
        if (what instanceof Reply) {
          simulation.history().violation("refusal", request + " was answered, not refused as " + expected);
        }
      }));
    }
  }
}
