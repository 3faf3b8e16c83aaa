package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.understudy.replication.core.Outcome;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.StateChange;

/**
 * A request that was let in: first a run of its service method, then the proposal that the run has left, until the strategy
 * has given it a place in the order or refused it. The opening and the end of a session are proposals without a run.
 */
public final class Execution {
  /** The token of a proposal that no caller waits for. */
  static final long NOBODY = 0;

  /** Boxed once, for the table of executions. */
  private final Long token;
  private final Request request;
  private final long epoch;
  private final boolean local;
  private final long confirmation;
  /** The tokens of repetitions; null while there are none. */
  private List<Long> waiting;
  private final boolean run;
  private boolean awaited;
  private Outcome outcome;
  private Map<String, Long> versions = Map.of();
  private List<StateChange> changes;

  private Execution(long token, Request request, long epoch, boolean local, long confirmation, boolean run) {
    this.token = token;
    this.request = request;
    this.epoch = epoch;
    this.local = local;
    this.confirmation = confirmation;
    this.run = run;
    this.awaited = token != NOBODY;
  }

  /** A run, in this epoch. */
  static Execution of(long token, Request request, long epoch, boolean local, long confirmation) {
    return new Execution(token, request, epoch, local, confirmation, true);
  }

  /** A decision that needs no run. Its outcome may be null where the order gives it, see {@link ExactlyOnce#update}. */
  static Execution decision(long token, Request request, long epoch, Outcome outcome) {
    Execution decision = new Execution(token, request, epoch, false, 0, false);
    decision.propose(outcome, Map.of(), List.of());
    return decision;
  }

  Long boxedToken() {
    return token;
  }

  /** Of the request; another one for every execution of this replica's life that a caller waits for. */
  public long token() {
    return token;
  }

  public Request request() {
    return request;
  }

  /** {@link Agreement#epoch} when the request was let in. */
  public long epoch() {
    return epoch;
  }

  /** Whether it is a read of what is applied here, whatever is newer elsewhere. */
  public boolean isLocal() {
    return local;
  }

  /** What a read waits for, see {@link Agreement#confirmation}. */
  long confirmation() {
    return confirmation;
  }

  /** Whether a service method runs for it, or has. */
  boolean isRun() {
    return run;
  }

  /** Whether its method has returned, or none runs for it. */
  boolean isProposed() {
    return changes != null;
  }

  /** What the method has left, as far as it is to be replicated; null while it runs. */
  Outcome outcome() {
    return outcome;
  }

  /** What it changed; null while the method runs. */
  List<StateChange> changes() {
    return changes;
  }

  /** The versions of what the method has read, by resource: see {@link org.understudy.replication.core.Input.Executed}. */
  public Map<String, Long> versions() {
    return versions;
  }

  void propose(Outcome left, Map<String, Long> read, List<StateChange> changed) {
    outcome = left;
    versions = read;
    changes = changed;
  }

  /** The method runs again. */
  void again() {
    outcome = null;
    versions = Map.of();
    changes = null;
  }

  /** Whether its own caller is to be answered. */
  boolean isAwaited() {
    return awaited;
  }

  /** Its caller has been answered otherwise. */
  void stopAwaiting() {
    awaited = false;
  }

  /** The tokens of the repetitions that wait for its outcome. */
  List<Long> waiting() {
    return waiting == null ? List.of() : waiting;
  }

  void addWaiting(long repetition) {
    if (waiting == null) {
      waiting = new ArrayList<>(2);
    }
    waiting.add(repetition);
  }

  void removeWaiting(long repetition) {
    if (waiting != null) {
      waiting.remove((Long) repetition);
    }
  }
}
