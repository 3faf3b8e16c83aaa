package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.certification.Certification;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.update.Origin;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/**
 * An admitted request: first a run of its service method, then the run's proposal, until the strategy has placed or refused
 * it. The opening and the end of a session are proposals without a run.
 */
public final class Execution {
  /** The token of a proposal without a waiting caller. */
  static final long NOBODY = 0;

  /** More keys, or characters of keys, are not kept of a run that was refused. */
  static final int MAX_TOUCHED = 1_000;
  static final int MAX_TOUCHED_CHARACTERS = 20_000;

  /** Boxed once, for the table of executions. */
  private final Long token;
  private final Request request;
  private final long epoch;
  private final boolean local;
  private final long confirmation;
  /** The tokens of duplicates; null while there are none. */
  private List<Long> waiting;
  private final boolean run;
  private boolean awaited;
  private boolean withdrawn;
  private int runs = 1;
  private long began;
  private Outcome outcome;
  private Map<String, Long> versions = Map.of();
  private List<StateChange> changes;
  private boolean branch;
  private ParticipantRecord participant;
  private List<String> touched = List.of();
  private boolean overdue;
  private int lostTurns;

  private Execution(long token, Request request, long epoch, boolean local, long confirmation, boolean run) {
    this.token = token;
    this.request = request;
    this.epoch = epoch;
    this.local = local;
    this.confirmation = confirmation;
    this.run = run;
    this.awaited = token != NOBODY;
  }

  /**
   * A run, admitted in this epoch.
   *
   * @param applied the last update that was applied when it began
   */
  static Execution of(
      long token, Request request, long epoch, boolean local, long confirmation, long applied) {
    Execution run = new Execution(token, request, epoch, local, confirmation, true);
    run.began = applied;
    return run;
  }

  /** A decision without a run. Its outcome may be null where the order supplies it, see {@link ExactlyOnce#update}. */
  static Execution decision(long token, Request request, long epoch, Outcome outcome) {
    Execution decision = new Execution(token, request, epoch, false, 0, false);
    decision.propose(outcome, Map.of(), List.of());
    return decision;
  }

  Long boxedToken() {
    return token;
  }

  /** The token of the request; different for every execution at this replica that a caller waits for. */
  public long token() {
    return token;
  }

  public Request request() {
    return request;
  }

  /** {@link Agreement#epoch} when the request was admitted. */
  public long epoch() {
    return epoch;
  }

  /** Whether it reads the state applied here, although other replicas may have a newer one. */
  public boolean isLocal() {
    return local;
  }

  /** The confirmation that a read waits for, see {@link Agreement#confirmation}. */
  long confirmation() {
    return confirmation;
  }

  /** Whether it has a run of a service method, now or before. */
  public boolean isRun() {
    return run;
  }

  /** Whether its method has returned, or it has no run. */
  boolean isProposed() {
    return changes != null;
  }

  /** The outcome of the method; null while it runs. */
  Outcome outcome() {
    return outcome;
  }

  /** The changes of the method; null while it runs. */
  public List<StateChange> changes() {
    return changes;
  }

  /** The versions of the resources that the method read: see {@link org.understudy.replication.core.Input.Executed}. */
  public Map<String, Long> versions() {
    return versions;
  }

  /** Approximate bytes of what the method has left, or of what is kept of a run that was refused. */
  public long bytes() {
    return changes == null || outcome == null
        ? touched == null ? 0 : Origin.bytesOfKeys(touched)
        : StateUpdate.bytes(outcome, changes) + Origin.bytesOfKeys(versions.keySet());
  }

  /** Whether a database has a part of what the method has left, and decides it. */
  public boolean hasBranch() {
    return branch;
  }

  /** What it records about the transaction whose coordinator decides it; null for none. */
  public ParticipantRecord participant() {
    return participant;
  }

  void enlist(boolean inDatabase, ParticipantRecord inTransaction) {
    branch = inDatabase;
    participant = inTransaction;
  }

  void propose(Outcome left, Map<String, Long> read, List<StateChange> changed) {
    outcome = left;
    versions = read;
    changes = changed;
  }

  /** The number of its present or next run, from 1. */
  public int runs() {
    return runs;
  }

  /** The last update that was applied when its present run began. */
  public long began() {
    return began;
  }

  /** Called when a run that was suspended begins again. */
  void began(long applied) {
    began = applied;
    overdue = false;
  }

  /**
   * What its last run has read or changed, in ascending order, after that was refused: keys, and prefixes that end with a slash. Null if
   * that was too much to keep.
   */
  public List<String> touched() {
    return touched;
  }

  /** Whether its present run takes longer than it may. */
  public boolean isOverdue() {
    return overdue;
  }

  void overdue() {
    overdue = true;
  }

  /** How many turns it had that have not led to a result which takes effect. */
  public int lostTurns() {
    return lostTurns;
  }

  public void loseTurn() {
    lostTurns++;
  }

  /** Whether its run was rolled back while its proposal waits for a place. */
  boolean isWithdrawn() {
    return withdrawn;
  }

  void withdraw() {
    withdrawn = true;
  }

  /** Drops what the run has left; the next one is another run. */
  void suspend() {
    if (changes != null) {
      TreeSet<String> keys = new TreeSet<>();
      Certification.addTouched(versions.keySet(), changes, keys);
      boolean fits = keys.size() <= MAX_TOUCHED && keys.stream().mapToLong(String::length).sum() <= MAX_TOUCHED_CHARACTERS;
      touched = fits ? List.copyOf(keys) : null;
    }
    runs++;
    withdrawn = false;
    outcome = null;
    versions = Map.of();
    changes = null;
    branch = false;
    participant = null;
  }

  /** Whether its own caller waits for the answer. */
  boolean isAwaited() {
    return awaited;
  }

  /** Called when its caller has been answered otherwise. */
  void stopAwaiting() {
    awaited = false;
  }

  /** The tokens of the duplicates that wait for its outcome. */
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
