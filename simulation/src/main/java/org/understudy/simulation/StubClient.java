package org.understudy.simulation;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.understudy.client.envelope.Answer;
import org.understudy.client.envelope.AnswerReader;
import org.understudy.client.envelope.MalformedAnswerException;
import org.understudy.client.envelope.SessionAnswer;
import org.understudy.client.invocation.Backoff;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.client.invocation.NoAnswer;
import org.understudy.client.invocation.Reachability;
import org.understudy.client.invocation.RetryingInvocation;
import org.understudy.client.session.SeenVersions;
import org.understudy.client.session.Session;
import org.understudy.client.session.SessionLifecycle;
import org.understudy.client.session.ViewPolls;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.KnownViews;
import org.understudy.container.caller.Caller;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.simulation.SimulatedNetwork;
import org.understudy.replication.simulation.World;
import org.understudy.replication.simulation.checker.Operation;
import org.understudy.replication.soap.HeaderBlock;

/** A client with the fault-tolerant stub: its step functions for invocations and sessions on virtual time. */
final class StubClient {
  private static final long MILLISECOND = 1_000_000L;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final long HELD_TOO_LONG = 8 * SECOND;

  private final ServiceSimulation simulation;
  private final World world;
  private final int number;
  private final Caller caller;
  private final Set<Retries> open = new LinkedHashSet<>();
  /** Those that wait for a session. */
  private final List<Operation> waiting = new ArrayList<>();
  private int invocations;
  private KnownViews views;
  private ViewPolls polls;
  /** The poll that a replica holds; null during a rest. */
  private Transport.Exchange held;
  private long heldFor;
  /** Until then its process is suspended: it sends nothing. */
  private long asleepUntil;
  private Reachability reach;
  private Backoff pauses;
  private SessionLifecycle lifecycle;
  private SeenVersions versions;
  /** When the last request was sent that kept this session alive at the primary, as far as is known. */
  private long aliveAt;

  StubClient(ServiceSimulation simulation, int number) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.number = number;
    this.caller = new Caller("stub " + number, "10.0.1." + number);
    reset();
  }

  /** As a new process of the same client. */
  private void reset() {
    if (held != null) {
      held.breakOff();
      held = null;
    }
    List<URI> addresses = new ArrayList<>();
    for (int i = 0; i < simulation.size(); i++) {
      addresses.add(SimulatedContainer.address(1 + (number + i) % simulation.size()));
    }
    // Where several replicas serve, some clients try one that joined at once.
    views = new KnownViews(addresses, (long) number, number % 2 == 0 ? addresses.get(0) : null, world::now);
    views.addListener(this::viewChanged);
    polls = new ViewPolls(views);
    reach = new Reachability();
    pauses = new Backoff(world::number);
    lifecycle = new SessionLifecycle();
    versions = new SeenVersions();
  }

  void start() {
    invokeNext();
    poll();
    if (world.chance(0.4)) {
      world.after(world.between(SECOND, 6 * SECOND), this::close);
    }
    if (world.chance(0.5)) {
      world.after(world.between(SECOND, 5 * SECOND), () -> asleepUntil = world.now() + world.between(2 * SECOND, 4 * SECOND));
    }
  }

  boolean isIdle() {
    return open.isEmpty() && waiting.isEmpty();
  }

  int number() {
    return number;
  }

  int end() {
    return SimulatedNetwork.FIRST_CLIENT + number - 1;
  }

  ServiceSimulation simulation() {
    return simulation;
  }

  void ended(Retries retries) {
    open.remove(retries);
  }

  // ------------------------------------------------------------------------------------------------ views

  private void viewChanged(GroupView view) {
    world.after(0, () -> {
      List.copyOf(open).forEach(one -> one.viewChanged(view));
      if (held != null && heldFor < view.epoch()) {
        // The view came another way: the poll is at the wrong replica now, or has an old epoch.
        polled(held, true);
      }
    });
  }

  private void poll() {
    ViewPolls.Poll poll = polls.next(world.now());
    Transport.Exchange[] mine = new Transport.Exchange[1];
    ServiceRequest request = ServiceRequest.awaitView(poll.view().epoch(), caller);
    mine[0] =
        simulation.transport().send(end(), SimulatedContainer.number(poll.replica()), request, new Transport.Listener() {
          @Override
          public void answered(ServiceAnswer answer) {
            if (mine[0] == held) {
              views.learn(read(Retries.read(answer)).view());
              polled(mine[0], true);
            }
          }

          @Override
          public void lost(NoAnswer how, IOException error) {
            polled(mine[0], false);
          }
        });
    held = mine[0];
    heldFor = poll.view().epoch();
    world.after(HELD_TOO_LONG, () -> polled(mine[0], false));
  }

  private void polled(Transport.Exchange poll, boolean helpful) {
    if (poll == held) {
      held.breakOff();
      held = null;
      ViewPolls mine = polls;
      world.after(mine.ended(world.now(), helpful), () -> {
        if (mine == polls) {
          poll();
        }
      });
    }
  }

  // ------------------------------------------------------------------------------------------------ sessions

  private void open() {
    SessionId nonce = new SessionId(world.number(), world.number());
    SessionLifecycle mine = lifecycle;
    long sentAt = world.now();
    retry(world.now() + 8 * SECOND, false, (attempt, forward) ->
        ServiceRequest.ofSession(Request.Kind.OPEN_SESSION, nonce, caller, forward), new Retries.Ending() {
          @Override
          public void taken(Answer answer, ServiceAnswer raw) {
            opened(mine, read(answer), sentAt);
          }

          @Override
          public void failed(InvocationFailedException failure, ServiceAnswer last) {
            mine.notOpened();
            if (mine == lifecycle) {
              // Only the session may be open now; the invocations have not begun.
              waiting.forEach(Operation::refused);
              waiting.clear();
            }
          }
        });
  }

  private static SessionAnswer read(Answer answer) {
    try {
      return AnswerReader.readSession(answer);
    } catch (MalformedAnswerException e) {
      throw new IllegalStateException("A replica answers what no stub can read.", e);
    }
  }

  private void opened(SessionLifecycle mine, SessionAnswer answer, long sentAt) {
    Session session = mine.opened(world.now(), answer);
    if (mine != lifecycle) {
      return;
    }
    aliveAt = sentAt;
    versions.saw(answer.versions());
    views.learn(answer.view());
    renewLater(session);
    List<Operation> ready = List.copyOf(waiting);
    waiting.clear();
    ready.forEach(operation -> invoke(operation, session));
  }

  private void renewLater(Session session) {
    SessionLifecycle mine = lifecycle;
    world.after(SessionLifecycle.renewalInterval(session), () -> {
      if (mine != lifecycle || !simulation.working()) {
        return;
      }
      if (mine.isRenewalDue(session, world.now()) && world.now() >= asleepUntil) {
        renew(session);
      }
      renewLater(session);
    });
  }

  private void renew(Session session) {
    long sentAt = world.now();
    long deadline = sentAt + SessionLifecycle.renewalInterval(session);
    retry(deadline, false, (attempt, forward) ->
        ServiceRequest.ofSession(Request.Kind.RENEW_SESSION, SessionId.parse(session.id()), caller, forward), new Retries.Ending() {
          @Override
          public void taken(Answer answer, ServiceAnswer raw) {
            aliveAt = Math.max(aliveAt, sentAt);
          }

          @Override
          public void failed(InvocationFailedException failure, ServiceAnswer last) {
            failure.code().filter(FailureCode.SessionExpired::equals).ifPresent(code -> expired(session, "a renewal"));
          }
        });
  }

  private void expired(Session session, String of) {
    simulation.count("expired");
    if (simulation.has(Mutant.EXPIRED_SESSION_KEPT)) {
      return;
    }
    if (lifecycle.expired(session) && world.now() - aliveAt < simulation.leaseNanos() * 9 / 10) {
      simulation.history().violation("session", of + " of client " + number + " was refused: its session has expired");
    }
  }

  /** The application closes the stub while invocations are open, and returns as another client. */
  private void close() {
    if (!simulation.working()) {
      return;
    }
    List.copyOf(open).forEach(Retries::stop);
    waiting.forEach(Operation::refused);
    waiting.clear();
    Session session = lifecycle.end();
    if (session != null && world.chance(0.7)) {
      retry(world.now() + SECOND / 2, false, (attempt, forward) ->
          ServiceRequest.ofSession(Request.Kind.CLOSE_SESSION, SessionId.parse(session.id()), caller, forward), Retries.Ending.NONE);
    }
    simulation.count("closed stubs");
    reset();
    poll();
  }

  // ------------------------------------------------------------------------------------------------ invocations

  private void invokeNext() {
    if (!simulation.working()) {
      return;
    }
    if (invocations < 3 && world.now() >= asleepUntil) {
      ask();
    }
    boolean rests = world.chance(0.01);
    world.after(rests ? world.between(SECOND, 3 * SECOND) : world.between(5 * MILLISECOND, 120 * MILLISECOND), this::invokeNext);
  }

  /** Sends under the open session, or has one opened first. */
  private void ask() {
    ask(ReadLevel.values());
  }

  /** Asks for something that no replica answers which does not know whether the session is open. */
  void askOfSession() {
    ask(ReadLevel.LINEARIZABLE);
  }

  private void ask(ReadLevel... levels) {
    Operation operation = simulation.operation(number + " (stub)", levels);
    Session session = lifecycle.use(world.now());
    if (session != null) {
      invoke(operation, session);
    } else {
      waiting.add(operation);
      if (lifecycle.beginsOpening()) {
        open();
      }
    }
  }

  boolean hasSession() {
    return lifecycle.use(world.now()) != null;
  }

  private void invoke(Operation operation, Session session) {
    long sequence = session.window().begin();
    SessionLifecycle mine = lifecycle;
    SeenVersions seen = versions;
    KnownViews known = views;
    String level = operation.level() == null ? null : operation.level().wireName();
    // At the end an answer is expected, although a message is lost and the primary is not tried again for seconds.
    boolean hurried = simulation.working() && world.chance(0.1);
    long deadline = world.now() + (hurried ? world.between(20 * MILLISECOND, 400 * MILLISECOND) : 8 * SECOND);
    invocations++;
    retry(deadline, true, (attempt, forward) -> {
      boolean renumbered = attempt > 1 && simulation.has(Mutant.NEW_SEQUENCE_EACH_ATTEMPT);
      long ackBelow = simulation.has(Mutant.ACKNOWLEDGES_OPEN_NUMBERS) ? sequence : session.window().ackBelow();
      HeaderBlock block = new HeaderBlock();
      block.write(session.id(), renumbered ? session.window().begin() : sequence, ackBelow, seen.all(),
          known.highestEpoch(), attempt, level, forward);
      String header = new String(block.bytes(), 0, block.count(), StandardCharsets.US_ASCII);
      return ServiceRequest.of(operation, caller, header, "", true);
    }, new Retries.Ending() {
      @Override
      public void taken(Answer answer, ServiceAnswer raw) {
        seen.saw(answer.versions());
        if (operation.update() && mine == lifecycle) {
          aliveAt = Math.max(aliveAt, operation.invokedAt());
        }
        simulation.returned(operation, Result.decode(answer.bytes()), raw.reply());
        end();
      }

      @Override
      public void failed(InvocationFailedException failure, ServiceAnswer last) {
        FailureCode code = failure.code().orElse(null);
        if (code == FailureCode.SessionExpired) {
          expired(session, operation.toString());
        } else if (code == FailureCode.StaleSequence || code == FailureCode.DigestMismatch || code == FailureCode.BadRequest) {
          simulation.history().violation("session", operation + " was refused: " + failure.getMessage());
        }
        boolean lastTells = simulation.has(Mutant.LAST_REFUSAL_TELLS_ALL) && last != null && last.failure() != null;
        Certainty certainty = lastTells ? last.failure().code().certainty() : failure.certainty();
        if (certainty == Certainty.NOT_EXECUTED) {
          simulation.refused(operation);
        } else {
          operation.unknown();
        }
        end();
      }

      private void end() {
        invocations--;
        session.window().complete(sequence);
      }
    });
  }

  private void retry(long deadline, boolean fitForTrial, Retries.RequestTemplate letter, Retries.Ending ending) {
    Retries retries = new Retries(this, new RetryingInvocation(views, reach, pauses, fitForTrial, world.now(), deadline), letter, ending);
    open.add(retries);
    retries.begin();
  }
}
