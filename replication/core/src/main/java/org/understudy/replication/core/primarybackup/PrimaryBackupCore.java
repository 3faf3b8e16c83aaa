package org.understudy.replication.core.primarybackup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Eviction;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.Message.Ack;
import org.understudy.replication.core.Message.Heartbeat;
import org.understudy.replication.core.Message.Join;
import org.understudy.replication.core.Message.SessionActivity;
import org.understudy.replication.core.Message.Snapshot;
import org.understudy.replication.core.Message.SnapshotAck;
import org.understudy.replication.core.Message.Update;
import org.understudy.replication.core.Outcome;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Reply;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.RequestKey;
import org.understudy.replication.core.Response;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.core.StateUpdate;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.membership.Resident;
import org.understudy.replication.core.session.Admission;
import org.understudy.replication.core.session.Agreement;
import org.understudy.replication.core.session.Executions;
import org.understudy.replication.core.session.HeldRequests;
import org.understudy.replication.core.session.PendingAnswers;
import org.understudy.replication.core.session.PendingRead;
import org.understudy.replication.core.session.ReplicatedState;
import org.understudy.replication.core.session.SessionLeases;
import org.understudy.replication.core.session.SessionReads;
import org.understudy.replication.core.session.StoredReply;
import org.understudy.replication.core.transfer.Donor;
import org.understudy.replication.core.transfer.JoiningState;
import org.understudy.replication.core.transfer.Transfers;
import org.understudy.replication.core.transfer.UpdateLog;

/**
 * One replica of a primary-backup group: routes inputs to membership, admission, replication and state transfer.
 *
 * <p>More than 400 lines because admission, order and state transfer of this strategy share one log in one step. A
 * second strategy will share admission and transfer; then they become packages of their own.
 */
final class PrimaryBackupCore implements ReplicaCore, Resident, Agreement, Donor {
  private static final int RESEND_MOST = 256;

  private final ReplicaSetup setup;
  private final Membership membership;
  private final ReplicatedState state;
  private final UpdateLog log = new UpdateLog();
  private final Executions executions = new Executions();
  private final JoiningState joining = new JoiningState();

  private boolean complete;
  private long stable;

  /** As primary: what each backup has acknowledged. */
  private final Map<ReplicaId, Long> acknowledged = new TreeMap<>();
  private final Map<ReplicaId, Long> resentAt = new TreeMap<>();
  private final Transfers transfers;
  private final PendingAnswers answers;
  private final HeldRequests held;
  private final Admission admission;
  private final SessionLeases leases;
  private final SessionReads sessionReads;
  private long replayed;
  /** The operator's call that waits for the end of a recovery, or 0. */
  private long recovering;
  /** The clock's reading at the first step. Where a monotonic clock begins is arbitrary, and may be below zero. */
  private long origin;
  private boolean begun;

  PrimaryBackupCore(ReplicaSetup setup) {
    this.setup = setup;
    this.state = new ReplicatedState(setup);
    this.held = new HeldRequests(setup.limits().heldRequests());
    this.admission = new Admission(setup, state, this);
    this.transfers = new Transfers(setup, log, this);
    this.leases = new SessionLeases(setup.limits().sessionLeaseNanos());
    this.sessionReads = new SessionReads(setup.limits().sessionLeaseNanos());
    // Who was never in a view holds all of nothing; who was, and restarted, has lost what it held.
    this.complete = MembershipRecord.of(setup.recovered()).accepted().epoch() == 0 || !setup.holds(Rule.RESTART_FORGETS);
    this.membership = new Membership(setup, this);
    this.answers = new PendingAnswers(setup, this);
  }

  /** Within the core, time is what has passed since its first step. */
  @Override
  public void step(long clock, long wall, Input input, Effects out) {
    if (!begun) {
      begun = true;
      origin = clock;
    }
    long now = clock - origin;
    membership.compareClocks(now, wall);
    if (input instanceof Input.Requested requested) {
      requested(now, requested, out);
    } else if (input instanceof Input.Executed executed) {
      executed(now, executed, out);
    } else if (input instanceof Input.Received received) {
      received(now, received.from(), received.message(), out);
    } else if (input instanceof Input.Tick) {
      tick(now, out);
    } else if (input instanceof Input.Abandoned abandoned) {
      abandoned(abandoned.token(), out);
    } else if (input instanceof Input.Survey) {
      membership.survey(now, out);
    } else if (input instanceof Input.Recover recover) {
      recover(now, recover, out);
    } else if (input instanceof Input.Suspected suspected) {
      membership.suspect(suspected.replica());
      membership.tick(now, out);
    }
  }

  private void recover(long now, Input.Recover input, Effects out) {
    String refusal = membership.recover(now, input.lost(), out);
    if (refusal != null) {
      fail(input.token(), FailureCode.BadRequest, refusal, out);
      return;
    }
    failRecovery("Another recovery began.", out);
    recovering = input.token();
    if (membership.role() == Role.PRIMARY || membership.role() == Role.BACKUP) {
      recovered(out); // the view was formed at once
    }
  }

  /** A view that may execute updates rests on the recovery. */
  private void recovered(Effects out) {
    if (recovering != 0 && !setup.small(membership.view())) {
      answers.tell(recovering, Reply.Status.EXECUTED, Response.EMPTY, stable, out);
      recovering = 0;
    }
  }

  private void failRecovery(String why, Effects out) {
    if (recovering != 0) {
      fail(recovering, FailureCode.OutcomeUnknown, why + " Survey the group again.", out);
      recovering = 0;
    }
  }

  @Override
  public List<SurveyedReplica> surveyed() {
    return membership.surveyed();
  }

  @Override
  public ReplicaStatus status(long clock) {
    return new ReplicaStatus(
        membership.role(),
        membership.view(),
        log.end(),
        stable,
        begun && membership.writable(clock - origin),
        state.replies().sessions(),
        replayed);
  }

  // ------------------------------------------------------------------------------------------------ admission

  private void requested(long now, Input.Requested input, Effects out) {
    Request request = input.request();
    long token = input.token();
    switch (membership.role()) {
      case PRIMARY -> {
        switch (request.kind()) {
          case READ -> {
            boolean canConfirm = request.level() != ReadLevel.LINEARIZABLE || membership.hasAuthority(now);
            if (setup.small(membership.view()) || !canConfirm) {
              failNoQuorum(token, out);
            } else if (request.seen().index() > log.end() && setup.holds(Rule.READ_AT_VERSION_HANDLE)) {
              // Others have gone on without this primary, and the client has seen it.
              fail(token, FailureCode.NotReady, "This replica has not what the client has seen; ask another.", out);
            } else if (sessionKnown(now, token, request, out)) {
              if (request.key() instanceof RequestKey.OfSession of && setup.holds(Rule.READS_KEEP_SESSIONS)) {
                leases.renew(now, of.session());
              }
              execute(now, token, request, out);
            }
          }
          case UPDATE -> update(now, token, request, out);
          case OPEN_SESSION -> openSession(now, token, request, out);
          case RENEW_SESSION -> renewSession(now, token, request, out);
          case CLOSE_SESSION -> closeSession(now, token, request, out);
        }
      }
      case BACKUP -> readAtBackup(now, input, out);
      case CHANGING -> {
        if (membership.connected(now)) {
          hold(input, out);
        } else {
          failNoQuorum(token, out);
        }
      }
      case JOINING ->
          fail(token, FailureCode.NotReady, "This replica is being brought up to date; ask another one.", out);
    }
  }

  private void hold(Input.Requested input, Effects out) {
    if (!held.add(input)) {
      fail(
          input.token(),
          FailureCode.Overloaded,
          "Too many requests of this caller wait here for a view change or an update; try again.",
          out);
    }
  }

  private void readAtBackup(long now, Input.Requested input, Effects out) {
    Request request = input.request();
    if (request.kind() != Request.Kind.READ) {
      if (!membership.connected(now)) {
        failNoQuorum(input.token(), out);
        return;
      }
      fail(input.token(), FailureCode.NotPrimary, "This replica is a backup; ask the primary.", out);
      return;
    }
    if (state.applied() > stable && setup.holds(Rule.APPLY_WHEN_STABLE)) {
      // It was primary, or was brought up to date by one, and shows more than may be told yet.
      hold(input, out);
      return;
    }
    switch (request.level()) {
      case LINEARIZABLE ->
          fail(input.token(), FailureCode.NotPrimary, "A linearizable read runs at the primary.", out);
      case SESSION -> {
        if (request.seen().index() > state.applied() && setup.holds(Rule.READ_AT_VERSION_HANDLE)) {
          hold(input, out);
        } else if (hasSession(request)) {
          if (request.key() instanceof RequestKey.OfSession of && setup.holds(Rule.READS_KEEP_SESSIONS)) {
            sessionReads.add(of.session());
          }
          execute(now, input.token(), request, out);
        } else {
          fail(input.token(), FailureCode.NotPrimary, "This backup does not know the session; ask the primary.", out);
        }
      }
      case LOCAL -> execute(now, input.token(), request, out);
    }
  }

  private void execute(long now, long token, Request request, Effects out) {
    long epoch = membership.role() == Role.PRIMARY ? membership.view().epoch() : 0;
    long round = epoch == 0 ? 0 : roundOf(now, request.level(), out);
    executions.start(token, request, epoch, membership.view().epoch(), round);
    out.execute(token, request.kind());
  }

  private void update(long now, long token, Request request, Effects out) {
    if (!writable(now, token, out) || !sessionKnown(now, token, request, out)) {
      return;
    }
    if (request.key() instanceof RequestKey.OfSession of && !freshEnough(token, request, of, out)) {
      return;
    }
    StoredReply stored = setup.holds(Rule.REPLAY_STORED_REPLY) ? state.replies().find(request.key()) : null;
    if (stored != null) {
      if (sameBody(token, stored.digest(), request.digest(), out)) {
        replayed++;
        answers.whenStable(stored.index(), token, Reply.Status.REPLAYED, stored.outcome(), stable, out);
      }
      return;
    }
    Executions.Execution running = executions.find(request.key(), membership.view().epoch());
    if (running != null && setup.holds(Rule.ONE_EXECUTION_AT_A_TIME)) {
      if (sameBody(token, running.request.digest(), request.digest(), out)) {
        running.waiting.add(token);
      }
      return;
    }
    Failure refusal = admission.refusal(request);
    if (refusal != null) {
      out.fail(token, refusal);
      return;
    }
    if (request.key() instanceof RequestKey.OfSession of) {
      leases.renew(now, of.session());
    }
    execute(now, token, request, out);
  }

  private boolean writable(long now, long token, Effects out) {
    if (!membership.writable(now)) {
      failNoQuorum(token, out);
      return false;
    }
    return true;
  }

  private void failNoQuorum(long token, Effects out) {
    out.fail(token, noQuorum());
  }

  private Failure noQuorum() {
    return new Failure(
        FailureCode.NoQuorum,
        "Fewer than " + setup.majority() + " of " + setup.configured().size()
            + " replicas are together; nothing was executed, try again later.");
  }

  private boolean hasSession(Request request) {
    return !(request.key() instanceof RequestKey.OfSession of)
        || request.principal().equals(state.replies().principal(of.session()))
        || !setup.holds(Rule.REFUSE_UNKNOWN_SESSION);
  }

  /** That there is no such session ends it for its client: it is told like a read, never by a deposed primary. */
  private boolean sessionKnown(long now, long token, Request request, Effects out) {
    if (hasSession(request)) {
      return true;
    }
    Failure expired =
        new Failure(FailureCode.SessionExpired, "The session is unknown or has expired; open another one.");
    tellLinearizable(now, token, expired, log.end(), out);
    return false;
  }

  private boolean freshEnough(long token, Request request, RequestKey.OfSession key, Effects out) {
    long below = Math.max(request.ackBelow(), state.replies().ackBelow(key.session()));
    if (key.sequence() < below && setup.holds(Rule.REFUSE_STALE_SEQUENCE)) {
      fail(
          token,
          FailureCode.StaleSequence,
          "Sequence " + key.sequence() + " is below " + below + ", which the client said it had answers to.",
          out);
      return false;
    }
    return true;
  }

  private boolean sameBody(long token, long before, long now, Effects out) {
    if (before != now && setup.holds(Rule.REFUSE_OTHER_BODY)) {
      fail(token, FailureCode.DigestMismatch, "This request id was used for another request body.", out);
      return false;
    }
    return true;
  }

  private void openSession(long now, long token, Request request, Effects out) {
    if (!writable(now, token, out)) {
      return;
    }
    RequestKey.OfNonce nonce = (RequestKey.OfNonce) request.key();
    SessionId id = state.replies().opened(nonce);
    if (id != null && !request.principal().equals(state.replies().principal(id))) {
      fail(token, FailureCode.BadRequest, "This nonce opened another caller's session.", out);
      return;
    }
    if (id == null) {
      Failure refusal = admission.refusalOfSession(request);
      if (refusal != null) {
        out.fail(token, refusal);
        return;
      }
      boolean fresh = setup.holds(Rule.SESSION_ID_OF_ITS_UPDATE);
      id = nonce.sessionOf(fresh ? membership.view().epoch() : 0, fresh ? log.end() + 1 : 0);
      append(now, request, opened(id), out);
    }
    leases.open(now, id);
    answers.whenStable(log.end(), token, Reply.Status.EXECUTED, opened(id), stable, out);
  }

  private static Response opened(SessionId id) {
    return new Response((byte) 0, id.toBytes());
  }

  private void renewSession(long now, long token, Request request, Effects out) {
    if (!membership.hasAuthority(now)) {
      failNoQuorum(token, out);
    } else if (sessionKnown(now, token, request, out)) {
      leases.renew(now, ((RequestKey.OfSession) request.key()).session());
      // Told like a read: a deposed primary renews sessions that others have ended.
      tellLinearizable(now, token, Response.EMPTY, stable, out);
    }
  }

  private void closeSession(long now, long token, Request request, Effects out) {
    SessionId id = ((RequestKey.OfSession) request.key()).session();
    if (!writable(now, token, out)) {
      return;
    }
    if (request.principal().equals(state.replies().principal(id))) {
      leases.end(id);
      append(now, request, Response.EMPTY, out);
      answers.whenStable(log.end(), token, Reply.Status.EXECUTED, Response.EMPTY, stable, out);
    } else {
      // Closed already, as far as this replica knows: a deposed primary does not know the sessions that others opened.
      tellLinearizable(now, token, Response.EMPTY, log.end(), out);
    }
  }

  private void tellLinearizable(long now, long token, Outcome outcome, long index, Effects out) {
    long round = roundOf(now, ReadLevel.LINEARIZABLE, out);
    answers.read(now, new PendingRead(token, outcome, ReadLevel.LINEARIZABLE, index, now, round), stable, out);
  }

  // ------------------------------------------------------------------------------------------------ execution

  private void executed(long now, Input.Executed input, Effects out) {
    Executions.Execution execution = executions.finish(input.token());
    if (execution == null) {
      // It was given up while the method ran: a repetition may have been let in since, and must not find its effects.
      undo(input.token(), out);
      return;
    }
    boolean here = membership.role() == Role.PRIMARY && membership.view().epoch() == execution.epoch;
    if (execution.request.kind() == Request.Kind.READ) {
      readExecuted(now, input, execution, here, out);
      return;
    }
    if (!here) {
      // What it changed was never sent to anybody, and goes with this replica's live objects.
      out.rollback(input.token());
      undone(execution, out);
      return;
    }
    Failure failure =
        input.outcome() instanceof Failure reported
            ? reported.shortened()
            : admission.excess(execution.request, input.outcome(), input.changes());
    if (failure == null) {
      keep(now, execution, append(now, execution.request, input, out), input.outcome(), out);
      return;
    }
    undo(input.token(), out);
    if (failure.code().isTerminal() && execution.request.key() != null) {
      keep(now, execution, append(now, execution.request, failure, out), failure, out);
    } else {
      failAll(execution, failure, out);
    }
  }

  private void undo(long token, Effects out) {
    if (setup.holds(Rule.UNDO_WHAT_DOES_NOT_STAND)) {
      out.rollback(token);
    } else {
      out.commit(token, log.end(), List.of());
    }
  }

  /** The outcome is an update, and all who wait for it get it when that is stable. */
  private void keep(long now, Executions.Execution execution, long index, Outcome outcome, Effects out) {
    answers.whenStable(index, execution.token, Reply.Status.EXECUTED, outcome, stable, out);
    for (long token : execution.waiting) {
      replayed++;
      answers.whenStable(index, token, Reply.Status.REPLAYED, outcome, stable, out);
    }
  }

  private void readExecuted(
      long now, Input.Executed input, Executions.Execution execution, boolean here, Effects out) {
    boolean atBackup = execution.epoch == 0;
    // In another view it may have seen what never became stable.
    boolean sameView = execution.view == membership.view().epoch();
    boolean allStable = sameView && membership.role() == Role.BACKUP && state.applied() <= stable;
    if (atBackup && (allStable || !setup.holds(Rule.PROMOTED_READ_STABLE))) {
      out.commit(input.token(), state.applied(), List.of());
      answers.tell(input.token(), Reply.Status.READ, input.outcome(), state.applied(), out);
    } else if (!atBackup && here) {
      out.commit(input.token(), state.applied(), List.of());
      ReadLevel level = execution.request.level();
      answers.read(now, new PendingRead(input.token(), input.outcome(), level, log.end(), now, execution.round), stable, out);
    } else {
      out.rollback(input.token());
      fail(input.token(), FailureCode.NotReady, "This replica's role changed during the read; retry.", out);
    }
  }

  private void abandoned(long token, Effects out) {
    Executions.Execution execution = executions.finish(token);
    if (execution != null) {
      undone(execution, out);
    } else if (setup.holds(Rule.GIVEN_UP_FREES_PLACE)) {
      held.remove(token);
      answers.remove(token);
      executions.stopWaiting(token);
      recovering = recovering == token ? 0 : recovering;
    }
  }

  private void undone(Executions.Execution execution, Effects out) {
    failAll(
        execution,
        new Failure(FailureCode.NotReady, "The execution came to nothing, its effects are undone; ask again."),
        out);
  }

  private static void failAll(Executions.Execution execution, Failure failure, Effects out) {
    execution.waiting.forEach(token -> out.fail(token, failure));
    out.fail(execution.token, failure);
  }

  /** The round that confirms a read of this level; 0 where none is needed. */
  private long roundOf(long now, ReadLevel level, Effects out) {
    boolean rounds = level == ReadLevel.LINEARIZABLE && setup.reads() == ReadConfirmation.ALWAYS;
    return rounds ? membership.joinRound(now, out) : 0;
  }

  /** No heartbeat will confirm these reads while a majority stays silent. */
  private void failReadsWithoutAuthority(long now, Effects out) {
    if (!membership.hasAuthority(now)) {
      answers.failReads(noQuorum(), out);
    }
  }

  // ------------------------------------------------------------------------------------------------ replication

  /** Replicates an outcome that changes no resource. */
  private long append(long now, Request request, Outcome outcome, Effects out) {
    return append(now, update(now, request, outcome, List.of()), 0, out);
  }

  /** The execution stands, from here on: it is committed before it is stable, and lost together with this update. */
  private long append(long now, Request request, Input.Executed executed, Effects out) {
    return append(now, update(now, request, executed.outcome(), executed.changes()), executed.token(), out);
  }

  private StateUpdate update(long now, Request request, Outcome outcome, List<StateChange> changes) {
    return new StateUpdate(
        log.end() + 1,
        request.kind(),
        request.key(),
        request.digest(),
        request.ackBelow(),
        request.principal(),
        request.ownerId(),
        outcome,
        changes,
        admission.eviction(now, request, outcome, stable));
  }

  /** @param executed the token of the execution that stands with this update, or 0 */
  private long append(long now, StateUpdate update, long executed, Effects out) {
    log.add(update);
    state.apply(update);
    if (executed != 0) {
      out.commit(executed, update.index(), update.changes());
    }
    StateUpdate sent =
        setup.holds(Rule.REPLY_TABLE_IN_UPDATES) || update.kind() != Request.Kind.UPDATE
            ? update
            : new StateUpdate(
                update.index(), update.kind(), null, 0, 0, "", 0, update.outcome(), update.changes(), Eviction.NONE);
    Update message = new Update(membership.view().epoch(), stable, sent);
    for (ReplicaId member : membership.view().members()) {
      if (!member.equals(setup.self())) {
        out.send(member, message);
      }
    }
    transfers.send(message, out);
    advance(now, out);
    return update.index();
  }

  /** What every backup of the view has is stable. */
  private void advance(long now, Effects out) {
    if (membership.role() != Role.PRIMARY || setup.small(membership.view())) {
      return;
    }
    long everywhere = log.end();
    if (setup.holds(Rule.STABLE_ON_EVERY_BACKUP)) {
      for (ReplicaId member : membership.view().members()) {
        if (!member.equals(setup.self())) {
          everywhere = Math.min(everywhere, acknowledged.getOrDefault(member, 0L));
        }
      }
    }
    if (everywhere > stable) {
      stable = everywhere;
      log.stable(stable);
      out.stable(stable);
      answers.advance(now, stable, out);
      forget();
    }
  }

  private void forget() {
    log.forgetUpTo(transfers.unneeded(stable));
    if (log.bytes() > setup.limits().logBytes() && !transfers.isEmpty()) {
      // A joiner that slow would fill the memory; it will ask again.
      transfers.clear();
      log.forgetUpTo(stable);
    }
  }

  private static void fail(long token, FailureCode code, String sentence, Effects out) {
    out.fail(token, new Failure(code, sentence));
  }

  @Override
  public long epoch() {
    return membership.view().epoch();
  }

  @Override
  public long end() {
    return log.end();
  }

  @Override
  public Failure backlog() {
    return log.end() - stable < setup.limits().unstableUpdates()
            && log.unstableBytes() < setup.limits().bytes().unstable()
        ? null
        : new Failure(FailureCode.Overloaded, "Too many updates wait for the backups; try again.");
  }

  @Override
  public boolean confirmed(long now, PendingRead read) {
    return read.level() != ReadLevel.LINEARIZABLE
        || !setup.holds(Rule.READ_UNDER_LEASE)
        || (setup.reads() == ReadConfirmation.ALWAYS
            ? membership.confirmed(read.round())
            : read.doneAt() <= membership.leaseUntil(now));
  }

  // ------------------------------------------------------------------------------------------------ messages

  private void received(long now, ReplicaId from, Message message, Effects out) {
    if (message instanceof Update update) {
      onUpdate(now, from, update, out);
    } else if (message instanceof Ack ack) {
      onAck(now, from, ack, out);
    } else if (message instanceof Snapshot snapshot) {
      onSnapshot(from, snapshot, out);
    } else if (message instanceof SnapshotAck ack) {
      onSnapshotAck(now, from, ack, out);
    } else if (message instanceof SessionActivity activity) {
      onSessionActivity(now, from, activity);
    } else {
      if (membership.receive(now, from, message, out) && message instanceof Heartbeat heartbeat) {
        onHeartbeat(now, from, heartbeat, out);
      } else if (message instanceof Join join) {
        onJoin(now, from, join, out);
      } else if (confirms(message)) {
        answers.tellReads(now, stable, out);
      }
    }
  }

  private void onSessionActivity(long now, ReplicaId from, SessionActivity activity) {
    if (membership.role() != Role.PRIMARY || !membership.inView(activity.epoch()) || !membership.view().contains(from)) {
      return;
    }
    for (SessionId session : activity.sessions()) {
      if (state.replies().knows(session)) {
        leases.renew(now, session);
      }
    }
  }

  /** As backup: the primary alone expires sessions, and hears here of those that read elsewhere. */
  private void tellSessionReads(long now, Effects out) {
    List<SessionId> active = sessionReads.take(now);
    if (!active.isEmpty()) {
      out.send(membership.view().primary(), new SessionActivity(membership.view().epoch(), active));
    }
  }

  private static boolean confirms(Message message) {
    return message instanceof Message.HeartbeatAck || message instanceof Message.ReadRoundAck;
  }

  /** Whether this replica takes updates of that epoch, as a backup or as a joiner that has the state. */
  private boolean follows(ReplicaId from, long epoch) {
    if (membership.fenced(epoch) || !from.equals(membership.view().primary())) {
      return false;
    }
    return complete && membership.view().epoch() == epoch
        && (membership.inView(epoch) || joining.has(epoch));
  }

  private void onUpdate(long now, ReplicaId from, Update message, Effects out) {
    if (!follows(from, message.epoch())) {
      if (membership.fenced(message.epoch())) {
        out.send(from, new Message.Refuse(membership.promised()));
      }
      return;
    }
    StateUpdate update = message.update();
    boolean inOrder = update.index() == log.end() + 1;
    if (inOrder || (update.index() > log.end() && !setup.holds(Rule.NO_GAPS))) {
      log.add(update);
    }
    boolean gap = update.index() > log.end();
    applyUpTo(now, message.stable(), out);
    out.send(from, new Ack(message.epoch(), log.end(), gap));
  }

  private void onHeartbeat(long now, ReplicaId from, Heartbeat message, Effects out) {
    if (follows(from, message.epoch())) {
      applyUpTo(now, message.stable(), out);
      // An update, or the acknowledgement of the last one, may have been lost. A joiner that waits for its place says that
      // it follows, or the state would be sent to it again.
      if (membership.role() == Role.JOINING || message.end() > log.end() || message.stable() < log.end()) {
        out.send(from, new Ack(message.epoch(), log.end(), message.end() > log.end()));
      }
    }
  }

  /** Applies what is stable; what a client was told waits no longer than for the next message. */
  private void applyUpTo(long now, long index, Effects out) {
    long before = stable;
    stable = Math.max(stable, Math.min(index, log.end()));
    long to = setup.holds(Rule.APPLY_WHEN_STABLE) ? stable : log.end();
    if (to > state.applied()) {
      apply(to, out);
    }
    if (stable > before) {
      log.stable(stable);
      out.stable(stable);
      log.forgetUpTo(Math.min(stable, state.applied()));
      readHeld(now, out);
    }
  }

  private void apply(long to, Effects out) {
    for (StateUpdate update : log.after(state.applied(), Integer.MAX_VALUE)) {
      if (update.index() > to) {
        break;
      }
      state.apply(update);
      if (!update.changes().isEmpty()) {
        out.applied(update.index(), update.changes());
      }
    }
  }

  /** Session reads that waited for an update. */
  private void readHeld(long now, Effects out) {
    if (membership.role() == Role.BACKUP && !held.isEmpty()) {
      for (Input.Requested read : held.takeAll()) {
        readAtBackup(now, read, out);
      }
    }
  }

  private void onAck(long now, ReplicaId from, Ack ack, Effects out) {
    if (!membership.inView(ack.epoch()) || !setup.self().equals(membership.view().primary())) {
      return;
    }
    if (membership.view().contains(from)) {
      acknowledged.merge(from, ack.received(), Math::max);
      membership.updateAcknowledged(now, from);
      if (membership.role() == Role.CHANGING) {
        membership.progress(now, out);
      } else {
        advance(now, out);
      }
    } else if (!transfers.received(now, from, ack.received())) {
      return;
    }
    if (ack.gap() && now - resentAt.getOrDefault(from, Long.MIN_VALUE / 2) > setup.timing().heartbeatNanos() / 4) {
      resentAt.put(from, now);
      resend(from, ack.received(), RESEND_MOST, out);
    }
  }

  private void resend(ReplicaId to, long after, int most, Effects out) {
    if (!log.reaches(after)) {
      return;
    }
    for (StateUpdate update : log.after(after, most)) {
      out.send(to, new Update(membership.view().epoch(), stable, update));
    }
  }

  // ------------------------------------------------------------------------------------------------ state transfer

  private void onJoin(long now, ReplicaId from, Join join, Effects out) {
    if (membership.role() != Role.PRIMARY || membership.view().contains(from)) {
      return;
    }
    transfers.join(now, from, join, membership.view().epoch(), stable, out);
  }

  @Override
  public List<Message.Item> items() {
    return state.items(setup.holds(Rule.REPLY_TABLE_IN_TRANSFER));
  }

  @Override
  public Message message(StateUpdate update) {
    return new Update(membership.view().epoch(), stable, update);
  }

  private void onSnapshot(ReplicaId from, Snapshot part, Effects out) {
    boolean mine =
        membership.role() == Role.JOINING
            && part.incarnation() == setup.incarnation()
            && !membership.fenced(part.epoch())
            && membership.view().epoch() == part.epoch()
            && from.equals(membership.view().primary());
    if (!mine) {
      return;
    }
    if (joining.take(part)) {
      List<Message.Item> items = joining.items();
      List<StateUpdate> unstable = unstable(items);
      if (!endsWith(unstable, part.index())) {
        // A log with gaps would break whoever builds on it; the next Join asks for another transfer.
        joining.clear();
        return;
      }
      state.replace(items, part.index());
      stable = part.index() - unstable.size();
      log.reset(stable);
      unstable.forEach(log::add);
      complete = true;
      out.replaced(part.index(), state.image());
      out.stable(stable);
    }
    if (joining.taken(part)) {
      out.send(from, new SnapshotAck(part.epoch(), part.incarnation(), part.part()));
    }
  }

  private static List<StateUpdate> unstable(List<Message.Item> items) {
    List<StateUpdate> unstable = new ArrayList<>();
    for (Message.Item item : items) {
      if (item instanceof Message.Item.Unstable tail) {
        unstable.add(tail.update());
      }
    }
    return unstable;
  }

  /** Whether the updates have ascending indexes without gaps up to this one. */
  private static boolean endsWith(List<StateUpdate> updates, long index) {
    long expected = index - updates.size();
    for (StateUpdate update : updates) {
      expected++;
      if (update.index() != expected) {
        return false;
      }
    }
    return index >= updates.size();
  }

  private void onSnapshotAck(long now, ReplicaId from, SnapshotAck ack, Effects out) {
    if (membership.role() == Role.PRIMARY && ack.epoch() == membership.view().epoch()) {
      transfers.acknowledged(now, from, ack, out);
    }
  }

  // ------------------------------------------------------------------------------------------------ resident

  @Override
  public boolean complete() {
    return complete;
  }

  @Override
  public long received() {
    return log.end();
  }

  @Override
  public long stable() {
    return stable;
  }

  @Override
  public void freeze(long now, Effects out) {
    answers.failReads(new Failure(FailureCode.NotReady, "A new view is being agreed upon; ask again."), out);
  }

  @Override
  public void enter(long now, View view, long start, Effects out) {
    transfers.clear();
    acknowledged.clear();
    resentAt.clear();
    sessionReads.clear();
    joining.clear();
    log.truncate(start);
    if (setup.self().equals(view.primary())) {
      apply(log.end(), out);
    } else {
      lose(FailureCode.NotPrimary, out);
      recovered(out);
    }
  }

  @Override
  public void leave(long now, View view, Effects out) {
    transfers.clear();
    joining.clear();
    complete = false;
    failRecovery("A view was agreed upon without this replica.", out);
    lose(FailureCode.NotReady, out);
  }

  @Override
  public void stayAside(long now, Effects out) {
    transfers.clear();
    joining.clear();
    lose(FailureCode.NotReady, out);
  }

  /** What clients wait for here, they must ask for elsewhere. */
  private void lose(FailureCode heldCode, Effects out) {
    answers.failOutcomes(
        new Failure(
            FailureCode.OutcomeUnknown,
            "This replica lost its role before the update was stable; ask again with the same request id."),
        out);
    freeze(0, out);
    for (Input.Requested request : held.takeAll()) {
      fail(request.token(), heldCode, "Another replica is primary now; ask it.", out);
    }
  }

  @Override
  public void synchronise(ReplicaId member, long from, Effects out) {
    acknowledged.merge(member, from, Math::max);
    if (from < log.end()) {
      resend(member, from, Integer.MAX_VALUE, out);
    }
  }

  @Override
  public long acknowledged(ReplicaId member) {
    return acknowledged.getOrDefault(member, -1L);
  }

  @Override
  public void begin(long now, Effects out) {
    leases.begin(now, state.replies().sessionIds());
    admission.begin(now);
    recovered(out);
    advance(now, out);
    for (Input.Requested request : held.takeAll()) {
      requested(now, request, out);
    }
  }

  @Override
  public List<ReplicaId> ready() {
    return transfers.ready();
  }

  // ------------------------------------------------------------------------------------------------ time

  private void tick(long now, Effects out) {
    membership.tick(now, out);
    if (membership.role() == Role.CHANGING && !held.isEmpty() && !membership.connected(now)) {
      for (Input.Requested request : held.takeAll()) {
        failNoQuorum(request.token(), out);
      }
    }
    if (membership.role() == Role.BACKUP) {
      tellSessionReads(now, out);
    }
    if (membership.role() != Role.PRIMARY) {
      return;
    }
    answers.tellReads(now, stable, out);
    failReadsWithoutAuthority(now, out);
    if (!membership.writable(now)) {
      return;
    }
    if (leases.isDue(now)) {
      expireSessions(now, out);
    }
    if (admission.isEvictionDue(now, stable)) {
      append(now, Request.internalUpdate(), Response.EMPTY, out);
    }
  }

  /** Decided here, once, and told in the log: no replica expires a session by its own clock. */
  private void expireSessions(long now, Effects out) {
    for (SessionId id : leases.expire(now)) {
      if (executions.isRunning(id)) {
        leases.renew(now, id);
      } else if (state.replies().knows(id)) {
        RequestKey key = new RequestKey.OfSession(id, 0);
        String principal = state.replies().principal(id);
        Request close =
            new Request(
                key, 0, Request.Kind.CLOSE_SESSION, null, VersionHandle.INITIAL, 0, principal, Request.INTERNAL);
        append(now, close, Response.EMPTY, out);
      }
    }
  }

  @Override
  public long digest() {
    return state.digest();
  }
}
