package org.understudy.replication.core.group;

import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.GroupMessage.IndexQuery;
import org.understudy.replication.core.group.GroupMessage.IndexReply;
import org.understudy.replication.core.group.GroupMessage.RenewalQuery;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.session.ExactlyOnce;
import org.understudy.replication.core.wire.WireVersions;

/**
 * Admits the requests that this replica can serve: fresh enough for the client's version handle, and for updates and
 * linearizable reads in contact with a majority. Others wait or are refused.
 */
final class GroupGate {
  /** A view change takes about one suspicion time, so a request that waits longer is in a minority. */
  private static final int VIEW_CHANGE_SUSPICIONS = 2;

  private final ReplicaSetup setup;
  private final Membership membership;
  private final CertifiedOrder order;
  private final ExactlyOnce requests;
  private final ReadIndexes reads;
  /** When this replica was last in contact with a majority, as it knows; 0 is the first step. */
  private long connectedAt;
  /** Whether a request may wait for the next view. */
  private boolean someWaitForView;
  /** Whether a request may wait for an update that it expected from the majority. */
  private boolean someWaitForUpdate;

  GroupGate(ReplicaSetup setup, Membership membership, CertifiedOrder order) {
    this.setup = setup;
    this.membership = membership;
    this.order = order;
    this.requests = order.requests();
    this.reads = new ReadIndexes(setup, membership);
    requests.sessions().keepFor(reads::forEach);
  }

  void requested(long now, Input.Requested input, Effects out) {
    switch (membership.role()) {
      case PRIMARY, BACKUP -> serve(now, input, out);
      case CHANGING -> {
        if (membership.connected(now) || expectsView(now)) {
          requests.held().add(input, out);
        } else {
          refuse(input, membership.noQuorum(now), out);
        }
      }
      case JOINING ->
          out.fail(
              input.token(),
              new Failure(
                  FailureCode.NotReady,
                  "This replica is catching up and cannot serve the request. Retry at another replica."));
    }
  }

  private void serve(long now, Input.Requested input, Effects out) {
    Request request = input.request();
    long applied = order.stable();
    boolean readsHere = request.kind() == Request.Kind.READ && request.level() != ReadLevel.LINEARIZABLE;
    boolean inMajority = isInMajority(now);
    boolean tooOld = isTooOld(request);
    boolean ahead = isAhead(request);
    // Every member has received what any client has seen. So this one is no longer a member, or no replica has that.
    boolean unknown = ahead || (tooOld && request.seen().position() > order.log().end());
    if (isOfNoState(request)) {
      out.fail(input.token(), ofNoState(request));
    } else if (!inMajority && (!readsHere || applied < order.start() || ahead)) {
      waitForView(now, input, out);
    } else if (unknown && inMajority && setup.enforces(Rule.READ_INDEX_AFTER_ARRIVAL)) {
      askIndex(now, input, out);
    } else if (tooOld || applied < order.start()) {
      someWaitForUpdate |= inMajority;
      requests.held().add(input, Math.max(tooOld ? request.seen().position() : 0, order.start()), out);
      if (tooOld && inMajority && membership.role() == Role.BACKUP) {
        // The update is here; the sequencer may wait with the notice that it is stable.
        reads.prompt();
        send(now, out);
      }
    } else if (readsHere && requests.readHere(now, input.token(), request, out)) {
      return;
    } else if (!inMajority) {
      waitForView(now, input, out);
    } else if (needsIndex(request) && setup.enforces(Rule.READ_INDEX_AFTER_ARRIVAL)) {
      askIndex(now, input, out);
    } else {
      requests.admit(now, input.token(), request, out);
    }
  }

  /** Whether the client has seen updates that are not applied here, and its request must see them. */
  private boolean isTooOld(Request request) {
    return request.seen().position() > order.stable() && needsHandle(request);
  }

  /** Whether the client has seen a later view than this replica: the others have formed it, or no replica has. */
  private boolean isAhead(Request request) {
    return request.seen().epoch() > order.epoch() && needsHandle(request);
  }

  /** Whether no view can have shown what the handle names: each view begins with all that earlier ones have shown. */
  private boolean isOfNoState(Request request) {
    return request.seen().epoch() < order.epoch() && request.seen().position() > order.start() && needsHandle(request);
  }

  private boolean needsHandle(Request request) {
    return request.level() != ReadLevel.LOCAL
        && request.level() != ReadLevel.LINEARIZABLE
        && setup.enforces(Rule.READ_AT_VERSION_HANDLE);
  }

  private void waitForView(long now, Input.Requested input, Effects out) {
    if (expectsView(now)) {
      someWaitForView = true;
      requests.held().add(input, Long.MAX_VALUE, out);
    } else {
      refuse(input, membership.noQuorum(now), out);
    }
  }

  /** Of an update that this replica has executed or proposed, it must not answer that nothing was executed. */
  private void refuse(Input.Requested input, Failure failure, Effects out) {
    boolean repeats =
        setup.enforces(Rule.REPETITION_IS_NOT_REFUSED) && requests.repeat(input.token(), input.request(), out);
    if (!repeats) {
      out.fail(input.token(), failure);
    }
  }

  /**
   * Whether a view that this replica belongs to may begin soon. Members receive nothing from each other until one of them
   * campaigns, so a member that has lost the sequencer has no contact with a majority for a moment.
   */
  private boolean expectsView(long now) {
    return membership.role() != Role.PRIMARY
        && !setup.lacksQuorum(membership.view())
        && now - connectedAt <= VIEW_CHANGE_SUSPICIONS * setup.timing().suspectNanos();
  }

  private boolean isInMajority(long now) {
    return membership.role() == Role.PRIMARY
        ? membership.mayExecute(now)
        : membership.connected(now) && !setup.lacksQuorum(membership.view());
  }

  /** Whether the answer depends on updates that this replica may not have applied yet. */
  private boolean needsIndex(Request request) {
    boolean linearizable = request.level() == ReadLevel.LINEARIZABLE || request.kind() == Request.Kind.RENEW_SESSION;
    boolean unknownSession =
        request.key() instanceof RequestKey.OfSession of && !requests.state().replies().knows(of.session());
    return linearizable || unknownSession;
  }

  // ------------------------------------------------------------------------------------------------ read indexes

  private void askIndex(long now, Input.Requested input, Effects out) {
    if (reads.size() >= setup.limits().unstableUpdates()) {
      refuse(input, new Failure(FailureCode.Overloaded, "Too many requests wait for the sequencer. Retry later."), out);
      return;
    }
    reads.add(input);
    send(now, out);
  }

  private void send(long now, Effects out) {
    IndexQuery query = reads.send(now);
    if (query == null) {
      return;
    }
    if (membership.role() == Role.PRIMARY) {
      onQuery(now, setup.self(), query, out);
      return;
    }
    boolean names = membership.wire() >= WireVersions.RENEWALS && setup.enforces(Rule.RENEWED_WHERE_SESSIONS_END);
    List<SessionId> renewed = names ? reads.renewed(query) : List.of();
    out.send(
        membership.view().primary(),
        renewed.isEmpty() ? query : new RenewalQuery(query.epoch(), query.number(), renewed));
  }

  /** A member that asks for an index has requests that renew sessions. They are renewed when the answer leaves. */
  void onRenewal(long now, ReplicaId from, RenewalQuery renewal, Effects out) {
    if (reads.isSequencer(from, renewal.epoch())) {
      requests.sessions().activeElsewhere(now, renewal.sessions());
      onQuery(now, from, new IndexQuery(renewal.epoch(), renewal.number()), out);
    }
  }

  void onQuery(long now, ReplicaId from, IndexQuery query, Effects out) {
    if (reads.isSequencer(from, query.epoch())) {
      order.sequencer().asked(from, out);
    }
    reads.onQuery(now, from, query, order.sequencer().seen(), out);
    answerQueries(now, out);
  }

  /** As sequencer: answers what the lease or a round confirms now. */
  void answerQueries(long now, Effects out) {
    reads.takeConfirmed(now).forEach((member, reply) -> {
      if (member.equals(setup.self())) {
        onReply(now, reply, out);
      } else {
        out.send(member, reply);
      }
    });
  }

  void onReply(long now, IndexReply reply, Effects out) {
    reads.onReply(reply);
    admitReads(now, out);
    send(now, out);
  }

  private void admitReads(long now, Effects out) {
    for (Input.Requested ready : reads.takeReady(order.stable())) {
      if (isTooOld(ready.request()) || isAhead(ready.request())) {
        out.fail(ready.token(), ofNoState(ready.request()));
      } else {
        requests.admit(now, ready.token(), ready.request(), out);
      }
    }
  }

  // ------------------------------------------------------------------------------------------------ progress

  /** More updates are applied: requests that wait for them continue, and those that waited for the end of a view change. */
  void applied(long now, Effects out) {
    admitReads(now, out);
    if (isMember()) {
      requests.held().takeUpTo(order.stable()).forEach(request -> serve(now, request, out));
    }
  }

  /** Decides anew about every waiting request, because this replica leads a view, or has found or lost a majority. */
  void reconsider(long now, Effects out) {
    admitReads(now, out);
    if (isMember()) {
      someWaitForView = false;
      someWaitForUpdate = false;
      requests.held().takeAll().forEach(request -> serve(now, request, out));
    }
  }

  private boolean isMember() {
    return membership.role() == Role.PRIMARY || membership.role() == Role.BACKUP;
  }

  void tick(long now, Effects out) {
    if (membership.connected(now)) {
      connectedAt = now;
    }
    if (membership.role() != Role.JOINING && membership.hasLostMajority(now)) {
      order.withdraw(membership.noQuorum(now), out);
    }
    if (membership.role() == Role.CHANGING
        && !requests.held().isEmpty()
        && !membership.connected(now)
        && !expectsView(now)) {
      Failure noQuorum = membership.noQuorum(now);
      requests.held().takeAll().forEach(request -> refuse(request, noQuorum, out));
    } else if (isMember()) {
      boolean inMajority = isInMajority(now);
      boolean isDecided = inMajority || !expectsView(now);
      if ((someWaitForView && isDecided) || (someWaitForUpdate && !inMajority)) {
        reconsider(now, out);
      }
      if (!inMajority) {
        applied(now, out);
        if (!expectsView(now)) {
          Failure noQuorum = membership.noQuorum(now);
          reads.takeAll().forEach(request -> refuse(request, noQuorum, out));
        }
      } else if (order.stable() >= order.start()) {
        applied(now, out);
        answerQueries(now, out);
        send(now, out);
      }
    }
  }

  void abandoned(long token) {
    reads.remove(token);
  }

  /** Another view is being agreed upon: nothing confirms these reads, and other requests wait for it. */
  void freeze(Effects out) {
    Failure changing = new Failure(FailureCode.NotReady, "A view change is in progress. Retry the read.");
    requests.answers().failReads(changing, out);
    for (Input.Requested request : reads.takeAll()) {
      if (request.request().kind() == Request.Kind.READ) {
        out.fail(request.token(), changing);
      } else {
        requests.held().add(request, out);
      }
    }
  }

  /**
   * This replica is not a member: its clients must retry at another one. Called while it still has its state and its proposals: a
   * repetition of a proposal ends with it.
   */
  void lose(Effects out) {
    freeze(out);
    Failure left = new Failure(FailureCode.NotReady, "This replica is not in the view. Retry at another replica.");
    requests.held().takeAll().forEach(request -> refuse(request, left, out));
  }

  /** The sequencer had fewer updates, or was in an earlier view, after the request had arrived. No client can have seen more. */
  private Failure ofNoState(Request request) {
    return new Failure(
        FailureCode.BadRequest,
        "The version handle " + request.seen() + " is of no state of this group, which is in view " + order.epoch()
            + " and has updates up to " + order.stable()
            + ". It is invalid, of another group, or from before this one began anew. Nothing was executed. Begin without a handle.");
  }
}
