package org.understudy.replication.core.group;

import java.util.Collection;
import java.util.Map;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.certification.Certification;
import org.understudy.replication.core.journal.Journal;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.order.StateTransfer;
import org.understudy.replication.core.order.ViewOrder;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.session.Agreement;
import org.understudy.replication.core.session.ExactlyOnce;
import org.understudy.replication.core.session.Execution;
import org.understudy.replication.core.session.GroupState;
import org.understudy.replication.core.session.PendingRead;
import org.understudy.replication.core.transfer.UpdateLog;
import org.understudy.replication.core.update.Origin;
import org.understudy.replication.core.update.StateUpdate;

/** The order of the updates, and the state: certifies each update at its place when it is stable. The state shows stable ones only. */
final class CertifiedOrder implements Agreement, ViewOrder.Listener {
  private final ReplicaSetup setup;
  private final Membership membership;
  private final UpdateLog log = new UpdateLog();
  private final ExactlyOnce requests;
  private final GroupState state;
  private final Journal journal;
  private final StateTransfer transfer;
  private final ViewOrder view;
  private final Sequencer sequencer;
  private final Delegate delegate;
  private final MulticastProposals multicasts;
  private final Proposer proposer;
  /** The last view that this replica entered. */
  private long epoch;
  private long start;
  /** Executions of earlier epochs rest on a state that this replica has lost. */
  private long stateSince;
  private boolean lost;
  /** Whether a batch of stable updates is being certified: answers wait for its end. */
  private boolean delivering;

  /** @param naiveTransfer whether state transfers are naive */
  CertifiedOrder(ReplicaSetup setup, Membership membership, DelegationPolicy delegations, boolean naiveTransfer) {
    this.setup = setup;
    this.membership = membership;
    this.requests = new ExactlyOnce(setup, this);
    this.state = requests.state();
    this.journal = new Journal(setup, state, log, membership::nextToken);
    this.transfer = new StateTransfer(setup, membership, state, log, journal, naiveTransfer);
    this.view = new ViewOrder(setup, membership, log, transfer, this);
    this.sequencer = new Sequencer(setup, membership, this, delegations);
    this.delegate = new Delegate(setup, membership, this);
    this.multicasts = new MulticastProposals(setup, membership, this);
    this.proposer = new Proposer(setup, membership, this);
  }

  ExactlyOnce requests() {
    return requests;
  }

  StateTransfer transfer() {
    return transfer;
  }

  Journal journal() {
    return journal;
  }

  ViewOrder view() {
    return view;
  }

  UpdateLog log() {
    return log;
  }

  MulticastProposals multicasts() {
    return multicasts;
  }

  Proposer proposer() {
    return proposer;
  }

  Sequencer sequencer() {
    return sequencer;
  }

  Delegate delegate() {
    return delegate;
  }

  /** The index with which this replica's last view began: answers of earlier views showed at most that. */
  long start() {
    return start;
  }

  // ------------------------------------------------------------------------------------------------ agreement

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public VersionHandle handle(long index) {
    // A replica that is brought up to date has a state of views in which it was not a member.
    boolean ofThisView = epoch != 0 && !lost && stable() >= start;
    return ofThisView ? VersionHandle.ofGroup(epoch, Math.max(index, start)) : VersionHandle.INITIAL;
  }

  @Override
  public long end() {
    return stable();
  }

  @Override
  public long stable() {
    return delivering ? -1 : state.applied();
  }

  @Override
  public Failure backlog() {
    boolean hasRoom =
        proposer.size() < setup.limits().unstableUpdates()
            && proposer.bytes() < setup.limits().bytes().unstable()
            && !isFull();
    return hasRoom
        ? null
        : new Failure(FailureCode.Overloaded, "Too many updates wait for acknowledgements of the members. Retry later.");
  }

  @Override
  public long bytesOfKeys(Collection<String> read) {
    return Origin.bytesOfKeys(read);
  }

  /** Whether so many updates wait for acknowledgements that only what this replica has admitted itself gets a place. */
  boolean isFull() {
    return log.end() - log.stable() >= setup.limits().unstableUpdates()
        || log.unstableBytes() >= setup.limits().bytes().unstable();
  }

  /** An update's run is valid in every view that has this replica's state; certification decides about the rest. */
  @Override
  public boolean isCurrent(Execution execution) {
    boolean update = execution.request().kind() != Request.Kind.READ;
    return transfer.isComplete() && !lost && (update ? execution.epoch() >= stateSince : execution.epoch() == epoch);
  }

  @Override
  public boolean sawOneState(Execution execution, Map<String, Long> read) {
    return state.certification().isOneState(read, execution.began());
  }

  @Override
  public boolean endsSessions() {
    return membership.role() == Role.PRIMARY;
  }

  /** A linearizable read is admitted when this replica has applied what was stable at its arrival. */
  @Override
  public long confirmation(long now, ReadLevel level, Effects out) {
    return 0;
  }

  @Override
  public boolean confirmed(long now, PendingRead read) {
    return true;
  }

  // ------------------------------------------------------------------------------------------------ proposals

  @Override
  public void append(long now, Execution execution, Effects out) {
    proposer.append(now, execution, out);
  }

  /** Ends the turns of executions that ended without a result, or take too long. */
  void checkTurn(long now, Effects out) {
    proposer.checkTurn(now, out);
  }

  // ------------------------------------------------------------------------------------------------ stability

  @Override
  public void advanced(long now, Effects out) {
    sequencer.announce(log.after(state.applied(), (int) (log.stable() - state.applied())), out);
    deliver(now, out);
  }

  /** Called when records up to this token are durable. */
  void stored(long now, long token, Effects out) {
    long before = journal.durable();
    journal.stored(token, out);
    if (journal.durable() != before) {
      view.onDurable(now, out);
    }
  }

  // ------------------------------------------------------------------------------------------------ delivery

  /** Called when this replica has received an update of its view: its own proposal needs not be sent again. */
  void received(StateUpdate update) {
    if (update.origin() == null) {
      return;
    }
    if (update.origin().replica().equals(setup.self())) {
      proposer.received(update.origin());
    }
    multicasts.remove(update.origin());
  }

  @Override
  public void informed(long now, long index, Effects out) {
    long stable = Math.min(index, log.end());
    if (stable > log.stable()) {
      log.stable(stable);
      deliver(now, out);
      log.forgetUpTo(state.applied());
    }
    proposer.settle(now, out);
  }

  /** Certifies the stable updates in their order; then callers may see them. */
  private void deliver(long now, Effects out) {
    // Answers have handles of this view, so they wait for the updates with which it began.
    if (delivering || state.applied() >= log.stable() || log.stable() < start) {
      return;
    }
    delivering = true;
    while (state.applied() < log.stable()) {
      for (StateUpdate update : log.after(state.applied(), (int) (log.stable() - state.applied()))) {
        certify(now, update, out);
      }
    }
    delivering = false;
    out.stable(state.applied());
    requests.answers().advance(now, out);
    proposer.settle(now, out);
  }

  private void certify(long now, StateUpdate update, Effects out) {
    Origin origin = update.origin();
    Certification certification = state.certification();
    certification.arrive(origin);
    Execution mine = proposer.take(origin);
    switch (origin.kind()) {
      case TURN -> {
        certification.addTurn(origin);
        if (mine != null) {
          proposer.turnPlaced(origin, mine);
        }
        state.pass(update.index());
      }
      case END -> state.pass(update.index());
      case LIMITS -> {
        certification.limits(origin.limits());
        state.pass(update.index());
      }
      case RUN -> result(now, update, mine, out);
    }
    if (origin.turn() != 0) {
      certification.endTurn(origin);
      proposer.turnEnded(origin);
    }
  }

  /** First the identity, so that a duplicate gets the stored answer; then the versions; then whether there is room. */
  private void result(long now, StateUpdate update, Execution mine, Effects out) {
    Certification certification = state.certification();
    boolean decided = requests.isDecided(update);
    boolean deferred = !decided && certification.isDeferred(update);
    boolean stale = !decided && !deferred && !certification.isFresh(update) && setup.enforces(Rule.CERTIFY_EVERY_VERSION);
    if (deferred || stale) {
      state.pass(update.index());
      if (mine != null) {
        proposer.refused(now, update.origin(), mine, deferred, out);
      }
    } else {
      store(now, update, decided, mine, out);
    }
  }

  private void store(long now, StateUpdate update, boolean decided, Execution mine, Effects out) {
    boolean limited = !decided && setup.enforces(Rule.LIMITS_AT_THE_PLACE);
    Failure refusal = limited ? requests.capacity().refusal(update) : null;
    if (refusal != null) {
      state.pass(update.index());
      if (mine != null) {
        requests.refuse(mine, refusal, out);
      }
    } else if (requests.deliver(now, limited ? requests.capacity().evicting(update) : update, mine, out)) {
      state.certification().record(update);
    } else {
      state.pass(update.index());
    }
  }

  // ------------------------------------------------------------------------------------------------ views

  /** Called when this replica is a member of the view: updates after {@code from} never became stable and are dropped. */
  void enter(long now, View entered, long from, Effects out) {
    view.enter(from, out);
    epoch = entered.epoch();
    start = from;
    multicasts.enter(epoch);
    sequencer.enter();
    delegate.clear();
    if (lost) {
      stateSince = epoch;
      lost = false;
    }
    proposer.enter();
    requests.begin(now);
  }

  /** Called when the view has begun: updates that its members hold become stable. */
  void begin(long now, Effects out) {
    view.advance(now, out);
    multicasts.placeNext(now, out);
    proposer.proposeLimits(now, out);
    proposer.settle(now, out);
  }

  /** Called while this replica has lost the majority: refuses the updates that run here, and lets those wait that may have a place. */
  void withdraw(Failure refusal, Effects out) {
    proposer.withdraw(refusal, out);
    requests.failUnproposed(refusal, out);
  }

  /** Called when this replica's state is void until it is brought up to date. */
  void lose(Effects out) {
    transfer.lose(out);
    sequencer.lose();
    delegate.clear();
    lost = true;
    proposer.lose(out);
  }

  void tick(long now, Effects out) {
    sequencer.tick(now, out);
    multicasts.placeNext(now, out);
    proposer.tick(now, out);
  }
}
