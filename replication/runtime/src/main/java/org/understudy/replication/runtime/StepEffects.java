package org.understudy.replication.runtime;

import java.util.List;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.LoadBoard;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.time.ClockReading;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.decision.DecisionContent;
import org.understudy.replication.runtime.decision.DecisionMaker;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.replication.runtime.routing.Standing;
import org.understudy.replication.runtime.state.Image;
import org.understudy.replication.runtime.transaction.PendingDecisions;

/**
 * Receives the effects of steps: applies changes of the state to the image at once, and collects the rest in the running
 * {@link Step}, behind the storage gate while a record is being stored. Used under the core's lock.
 */
final class StepEffects implements Effects {
  private static final Logger LOG = LoggerFactory.getLogger(StepEffects.class);

  private final RefusalLog warnings = new RefusalLog();
  private final StorageGate gate;
  /** Whether records are stored; a strategy without peers has none. */
  private final boolean storing;
  private final OutgoingMessages messages;
  private final PendingCalls calls;
  private final Image image;
  private final Standings standings;
  private final LongConsumer abandon;

  private final Proposals proposals = new Proposals();
  private final PendingDecisions coordinated = new PendingDecisions();
  /** Null when no database decides updates. */
  private DecisionMaker decisions;
  private Step step = new Step();

  /**
   * @param gate null when no records are stored
   * @param abandon ends an execution that its caller could not begin
   */
  StepEffects(
      StorageGate gate,
      OutgoingMessages messages,
      PendingCalls calls,
      Image image,
      Standings standings,
      LongConsumer abandon) {
    this.storing = gate != null;
    this.gate = storing ? gate : new StorageGate(records -> {}, true);
    this.messages = messages;
    this.calls = calls;
    this.image = image;
    this.standings = standings;
    this.abandon = abandon;
  }

  Step begin(ReplicaId answering, List<Message> answers) {
    this.step = new Step();
    messages.begin(answering, answers);
    return step;
  }

  /** Called with {@link #begin}: the step is that of this execution. */
  void propose(long token, Proposal proposal) {
    proposals.arrive(token, proposal);
  }

  /** The step has returned normally; listeners have been notified of it. */
  void end() {
    image.notified();
    proposals.arrived();
  }

  /** The core has halted: the undecided proposals, without that of the step that threw. */
  List<Proposal> takeProposals() {
    return proposals.takeAll();
  }

  /** The records that were being stored are durable. Returns the token of the last. */
  long stored() {
    return gate.stored();
  }

  /** Stores the records that have gathered meanwhile. */
  void storeNext() {
    gate.storeNext();
  }

  @Override
  public void send(ReplicaId to, Message message) {
    if (gate.closed()) {
      gate.holdOrDrop(() -> messages.send(to, message, step));
    } else if (!messages.answer(to, message)) {
      messages.send(to, message, step);
    }
  }

  @Override
  public void sendLast(ReplicaId to, Message message) {
    if (gate.closed()) {
      send(to, message);
    } else if (!messages.answer(to, message)) {
      messages.sendLast(to, message, step);
    }
  }

  @Override
  public void stepAgain() {
    step.stepAgain();
  }

  @Override
  public void multicast(Message message) {
    if (!messages.canMulticast()) {
      throw new IllegalStateException(
          "The strategy multicasts, but this replica has no group channel, because the strategy does not require one.");
    }
    if (gate.closed()) {
      gate.holdOrDrop(() -> messages.multicast(message, step));
    } else {
      messages.multicast(message, step);
    }
  }

  @Override
  public void warn(String line) {
    step.act(
        () -> {
          if (warnings.isDue(line, System.nanoTime())) {
            LOG.warn(line);
          }
        });
  }

  @Override
  public void inform(String line) {
    step.act(() -> LOG.info(line));
  }

  private void act(Runnable action) {
    if (gate.closed()) {
      gate.holdOrDrop(() -> step.act(action));
    } else {
      step.act(action);
    }
  }

  @Override
  public void store(long token, DurableRecord record) {
    if (storing) {
      gate.store(token, record);
    }
  }

  @Override
  public void append(long token, DurableRecord record) {
    if (storing) {
      gate.append(token, record);
    }
  }

  @Override
  public void execute(long token, Request.Kind kind) {
    act(
        () -> {
          if (!calls.execute(token, kind)) {
            abandon.accept(token);
          }
        });
  }

  @Override
  public void reply(long token, Reply reply) {
    act(() -> calls.reply(token, reply));
  }

  @Override
  public void fail(long token, Failure failure) {
    act(() -> calls.fail(token, failure));
  }

  @Override
  public void commit(long token, long version, List<StateChange> changes) {
    Proposal proposal = proposals.decide(token);
    if (!changes.isEmpty()) {
      apply(version, changes, proposal != null);
    }
    if (proposal != null) {
      step.act(proposal::commit);
    }
  }

  @Override
  public void rollback(long token) {
    Proposal proposal = proposals.decide(token);
    if (proposal != null) {
      step.act(proposal::rollback);
    }
  }

  /** Called before the replica joins its group, with what decides updates for it. */
  void decideBy(DecisionMaker maker) {
    decisions = maker;
  }

  @Override
  public void decide(long token, DecisionId id, RequestKey key, long digest, Response response) {
    Proposal proposal = proposals.find(token);
    if (proposal != null) {
      act(() -> decisions.decide(token, id, DecisionContent.key(key), DecisionContent.response(digest, response), proposal.branch()));
    }
  }

  @Override
  public void fence(long view, DecisionId last, List<DecisionId> prepared, boolean reload) {
    act(() -> decisions.fence(view, last, prepared, reload));
  }

  @Override
  public void recall(long view, DecisionId after) {
    act(() -> decisions.recall(view, after));
  }

  @Override
  public void forget(DecisionId below, boolean all) {
    act(() -> decisions.forget(below, all));
  }

  /** The decisions of coordinators that are on their way. */
  PendingDecisions coordinated() {
    return coordinated;
  }

  @Override
  public void prepared(long token, DecisionId id) {
    Proposal proposal = proposals.find(token);
    if (proposal != null) {
      act(() -> proposal.prepared(id));
    }
  }

  @Override
  public void inDoubt(List<InDoubt> updates) {
    act(() -> coordinated.inDoubt(updates));
  }

  @Override
  public void settled(DecisionId id, boolean stable) {
    act(() -> coordinated.settled(id, stable));
  }

  @Override
  public void changed(Role role, View view) {
    Standing now = standings.change(role, view);
    if (role != Role.PRIMARY) {
      image.expireAll();
    }
    if (gate.closed()) {
      gate.hold(() -> standings.announce(now, step));
    } else {
      standings.announce(now, step);
    }
  }

  @Override
  public void applied(long version, List<StateChange> changes) {
    apply(version, changes, false);
  }

  /** @param own whether live objects show the changes already */
  private void apply(long version, List<StateChange> changes, boolean own) {
    image.apply(version, changes, own);
    step.notifyLater(followed -> followed.applied(changes));
  }

  @Override
  public void loads(LoadBoard board) {
    standings.loads(board);
  }

  @Override
  public void time(ClockReading reading) {
    standings.clocks().read(reading);
  }

  @Override
  public void stable(long index) {
    step.notifyLater(followed -> followed.stable(index));
  }

  @Override
  public void receiving(int part, long version, List<StateChange> resources) {
    image.receive(part, version, resources);
    step.notifyLater(followed -> followed.receiving(part, resources));
  }

  @Override
  public void replaced(long version) {
    image.replace(version);
    step.notifyLater(followed -> followed.replaced(image));
  }
}
