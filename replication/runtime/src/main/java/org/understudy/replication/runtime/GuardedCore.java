package org.understudy.replication.runtime;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.runtime.state.Image;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.replication.runtime.state.StateListeners;

/**
 * The core of one replica, one step at a time under a lock. The caller carries the step out after releasing the lock, so a
 * request needs no hand-off between threads.
 *
 * <p>A step that throws halts the core for good, because its state may be inconsistent. The step's replies and executions
 * are dropped. Messages that it has requested may still be sent, as in a crash at that point.
 */
final class GuardedCore {
  private final ReentrantLock lock = new ReentrantLock();
  private final ReplicaCore core;
  private final ReplicaHost host;
  private final boolean halting;
  private final StepEffects effects;
  private final Standings standings;
  private final StateListeners listeners = new StateListeners();
  private final Consumer<Throwable> onHalt;
  private volatile boolean halted;
  /** Guarded by the lock: what a partial step left consistent. Null until the core has halted. */
  private ReplicaStatus last;

  /** Steps the core, with one reading of both clocks. */
  @FunctionalInterface
  private interface Work {
    void at(long now, long wall);
  }

  /**
   * @param halting whether a step that throws halts the core; false for a mutant
   * @param onHalt called once, without the lock, with the error of the step
   */
  GuardedCore(
      ReplicaCore core,
      ReplicaHost host,
      boolean halting,
      StepEffects effects,
      Standings standings,
      Consumer<Throwable> onHalt) {
    this.core = core;
    this.host = host;
    this.halting = halting;
    this.effects = effects;
    this.standings = standings;
    this.onHalt = onHalt;
  }

  boolean halted() {
    return halted;
  }

  /**
   * Steps the inputs, under one acquisition of the lock.
   *
   * @param answering the peer whose messages go into {@code answers}; or null
   * @return the step to carry out; null when the core has halted, before or within this step
   */
  Step step(List<Input> inputs, ReplicaId answering, List<Message> answers) {
    return run(
        answering,
        answers,
        (now, wall) -> {
          for (Input input : inputs) {
            core.step(now, wall, input, effects);
          }
        });
  }

  /** Steps the end of an execution. Returns as {@link #step} does; on null, the proposal is undecided. */
  Step step(long token, Input ended, Proposal proposal) {
    return run(
        null,
        null,
        (now, wall) -> {
          effects.propose(token, proposal);
          core.step(now, wall, ended, effects);
        });
  }

  /**
   * Releases the effects that waited for stored records, then informs the core, under one acquisition of the lock. Returns
   * as {@link #step} does.
   */
  Step stored() {
    return run(
        null, null, (now, wall) -> core.step(now, wall, new Input.Stored(effects.stored()), effects));
  }

  /** Called some time after {@link #stored}: stores the records that have gathered meanwhile. */
  void storeNext() {
    lock.lock();
    try {
      if (!halted) {
        effects.storeNext();
      }
    } finally {
      lock.unlock();
    }
  }

  private Step run(ReplicaId answering, List<Message> answers, Work work) {
    Throwable failure;
    lock.lock();
    try {
      if (halted) {
        return null;
      }
      Step step = effects.begin(answering, answers);
      work.at(host.monotonicNanos(), host.wallNanos());
      listeners.deliver(step.events());
      effects.end();
      return step;
    } catch (RuntimeException | Error e) {
      // First, because what follows may need memory that is not available.
      halted = halting;
      failure = e;
    } finally {
      lock.unlock();
    }
    if (halting) {
      onHalt.accept(failure);
    }
    return null;
  }

  /**
   * Stops the core.
   *
   * @return the proposals that will get no decision
   */
  List<Proposal> halt() {
    lock.lock();
    try {
      halted = true;
      return effects.takeProposals();
    } finally {
      lock.unlock();
    }
  }

  /** The answers to the last survey; empty when the core has halted. */
  List<SurveyedReplica> surveyed() {
    lock.lock();
    try {
      return halted ? List.of() : core.surveyed();
    } finally {
      lock.unlock();
    }
  }

  /** The updates that are prepared for coordinators; empty when the core has halted. */
  List<InDoubt> undecided() {
    lock.lock();
    try {
      return halted ? List.of() : core.undecided();
    } finally {
      lock.unlock();
    }
  }

  /** The digest of the replicated state; 0 when the core has halted. */
  long digest() {
    lock.lock();
    try {
      return halted ? 0 : core.digest();
    } finally {
      lock.unlock();
    }
  }

  /** The current status; of a halted core approximately its last one, and never writable. */
  ReplicaStatus status() {
    lock.lock();
    try {
      if (!halted) {
        return core.status(host.monotonicNanos());
      }
      if (last == null) {
        last = lastStatus();
      }
      return last;
    } finally {
      lock.unlock();
    }
  }

  private ReplicaStatus lastStatus() {
    try {
      ReplicaStatus now = core.status(host.monotonicNanos());
      return new ReplicaStatus(
          now.role(), now.view(), now.received(), now.stable(), false, now.sessions(), now.wire(), now.replayed());
    } catch (RuntimeException e) {
      // A partial step may have left it in any state.
      return new ReplicaStatus(standings.current().role(), standings.current().view(), 0, 0, false, 0, 0, 0);
    }
  }

  /** Adds a listener between two steps: it gets the whole state first, then every change. */
  void observe(StateListener listener, Image image) {
    lock.lock();
    try {
      listener.replaced(image);
      listener.stable(core.status(host.monotonicNanos()).stable());
      listeners.add(listener);
    } finally {
      lock.unlock();
    }
  }
}
