package org.understudy.replication.core.primarybackup;

import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.session.ExactlyOnce;
import org.understudy.replication.core.transfer.UpdateLog;

/** Admits the requests that this replica may serve in its role; others wait or are refused. */
final class RequestGate {
  /** Of an update that this replica has executed, as primary, it must not answer that nothing was executed. */
  private static final Failure EXECUTED_WITHOUT_QUORUM =
      new Failure(
          FailureCode.OutcomeUnknown,
          "This replica has executed the request before, and has no quorum that could make it stable. " + Failure.RETRY_WITH_ID);

  private final ReplicaSetup setup;
  private final Membership membership;
  private final ExactlyOnce requests;
  private final UpdateLog log;
  private final Decisions decisions;
  private long start;

  RequestGate(ReplicaSetup setup, Membership membership, ExactlyOnce requests, UpdateLog log, Decisions decisions) {
    this.setup = setup;
    this.membership = membership;
    this.requests = requests;
    this.log = log;
    this.decisions = decisions;
  }

  /** The index with which the view began in which this replica is a member: answers of earlier views showed at most that. */
  void enter(long start) {
    this.start = start;
  }

  /** The index with which this replica's last view began. */
  long start() {
    return start;
  }

  void requested(long now, Input.Requested input, Effects out) {
    switch (membership.role()) {
      case PRIMARY -> requestedAtPrimary(now, input.token(), input.request(), out);
      case BACKUP -> requestedAtBackup(now, input, out);
      case CHANGING -> {
        if (membership.connected(now)) {
          requests.held().add(input, out);
        } else {
          out.fail(input.token(), withoutQuorum(now, input.request()));
        }
      }
      case JOINING ->
          fail(
              input.token(),
              FailureCode.NotReady,
              "This replica is catching up and cannot serve the request. Retry at another replica.",
              out);
    }
  }

  private void requestedAtPrimary(long now, long token, Request request, Effects out) {
    if (!mayServe(now, request)) {
      out.fail(token, withoutQuorum(now, request));
    } else if (!decisions.isServing()) {
      if (decisions.trouble() == null) {
        requests.held().add(new Input.Requested(token, request), out);
      } else {
        out.fail(token, decisions.trouble());
      }
    } else if (request.kind() == Request.Kind.READ
        && request.seen().position() > log.end()
        && setup.enforces(Rule.READ_AT_VERSION_HANDLE)) {
      // The other replicas continued without this primary, and the client has seen their updates.
      fail(
          token,
          FailureCode.NotReady,
          "Replica " + setup.self() + " cannot serve this read: it has updates up to " + log.end()
              + ", and the client has seen " + request.seen() + ". Retry at another replica.",
          out);
    } else {
      requests.admit(now, token, request, out);
    }
  }

  private Failure withoutQuorum(long now, Request request) {
    boolean repeats = setup.enforces(Rule.REPETITION_IS_NOT_REFUSED) && requests.isRepetition(request);
    return repeats ? EXECUTED_WITHOUT_QUORUM : membership.noQuorum(now);
  }

  private boolean mayServe(long now, Request request) {
    return switch (request.kind()) {
      case READ ->
          (request.level() != ReadLevel.LINEARIZABLE || membership.hasAuthority(now)) && !setup.lacksQuorum(membership.view());
      // A member of the last view that is not in this one may have ended the session in an update that survives.
      case RENEW_SESSION -> membership.hasAuthority(now) && !setup.lacksQuorum(membership.view());
      case UPDATE, OPEN_SESSION, CLOSE_SESSION -> membership.mayExecute(now);
    };
  }

  private void requestedAtBackup(long now, Input.Requested input, Effects out) {
    boolean databaseHere = !decisions.isEnabled() || !setup.enforces(Rule.BACKUPS_READ_NO_DATABASE);
    if (input.request().kind() == Request.Kind.READ && databaseHere) {
      readAtBackup(now, input, out);
    } else if (membership.connected(now)) {
      fail(input.token(), FailureCode.NotPrimary, "This replica is a backup and does not execute the request. Retry "
          + "at the primary.", out);
    } else {
      out.fail(input.token(), membership.noQuorum(now));
    }
  }

  private void readAtBackup(long now, Input.Requested input, Effects out) {
    Request request = input.request();
    long applied = requests.state().applied();
    boolean tooNew = applied > log.stable() && setup.enforces(Rule.APPLY_WHEN_STABLE);
    boolean tooOld =
        request.level() == ReadLevel.SESSION
            && request.seen().position() > applied
            && setup.enforces(Rule.READ_AT_VERSION_HANDLE);
    if (tooNew) {
      // A former primary, or a replica that one brought up to date, may show updates that are not stable yet.
      requests.held().add(input, out);
    } else if (request.level() == ReadLevel.LINEARIZABLE) {
      fail(input.token(), FailureCode.NotPrimary, "This replica is a backup and does not serve linearizable reads. "
          + "Retry at the primary.", out);
    } else if (applied < start && setup.enforces(Rule.HANDLES_ASCEND)) {
      if (!mayCatchUp(now)) {
        out.fail(input.token(), membership.noQuorum(now));
      } else {
        requests.held().add(input, out);
      }
    } else if (tooOld) {
      requests.held().add(input, out);
    } else if (!requests.readHere(now, input.token(), request, out)) {
      fail(
          input.token(),
          FailureCode.NotPrimary,
          "This backup does not know the session. Retry at the primary.",
          out);
    }
  }

  /** Whether this backup can expect to receive the updates with which the view began. */
  private boolean mayCatchUp(long now) {
    return membership.connected(now) && !setup.lacksQuorum(membership.view());
  }

  /** As backup: more updates are applied, so waiting session reads may continue. */
  void applied(long now, Effects out) {
    if (membership.role() == Role.BACKUP && !requests.held().isEmpty()) {
      for (Input.Requested request : requests.held().takeAll()) {
        requestedAtBackup(now, request, out);
      }
    }
  }

  /** As primary: the view has begun, and waiting requests are served, unless the database is not fenced yet. */
  void begin(long now, Effects out) {
    for (Input.Requested request : requests.held().takeAll()) {
      requested(now, request, out);
    }
  }

  /** As primary: the database could not be fenced, and waiting requests fail. */
  void failHeld(Failure why, Effects out) {
    for (Input.Requested request : requests.held().takeAll()) {
      out.fail(request.token(), why);
    }
  }

  /** Refuses requests that wait for a majority which is not there, after some time. */
  void tick(long now, Effects out) {
    if (membership.role() == Role.CHANGING && !requests.held().isEmpty() && !membership.connected(now)) {
      for (Input.Requested request : requests.held().takeAll()) {
        out.fail(request.token(), withoutQuorum(now, request.request()));
      }
    } else if (membership.role() == Role.BACKUP && requests.state().applied() < start && !mayCatchUp(now)) {
      applied(now, out);
    } else if (membership.role() == Role.PRIMARY && !membership.hasAuthority(now)) {
      // No heartbeat confirms these reads while a majority is silent.
      requests.answers().failReads(membership.noQuorum(now), out);
    }
  }

  /** Fails pending reads, because another view is being agreed upon and cannot confirm them. */
  void freeze(Effects out) {
    requests.answers().failReads(new Failure(FailureCode.NotReady, "A view change is in progress. Retry the read."), out);
  }

  /** Fails waiting requests: their clients must retry at another replica. */
  void lose(FailureCode heldCode, Effects out) {
    requests.answers().failOutcomes(
        new Failure(
            FailureCode.OutcomeUnknown,
            "This replica lost its role before the update was stable. " + Failure.RETRY_WITH_ID),
        out);
    freeze(out);
    for (Input.Requested request : requests.held().takeAll()) {
      fail(request.token(), heldCode, "Another replica is the primary now. Retry there.", out);
    }
  }

  private static void fail(long token, FailureCode code, String sentence, Effects out) {
    out.fail(token, new Failure(code, sentence));
  }
}
