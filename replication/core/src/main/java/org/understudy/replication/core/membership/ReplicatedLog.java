package org.understudy.replication.core.membership;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;

/**
 * The updates that the views of {@link Membership} protect, and the protocol that replicates them. Membership queries how
 * many updates a replica holds, and announces when a view begins and ends. Called during a step, under the same lock.
 */
public interface ReplicatedLog {
  /** Whether this replica holds a prefix of the accepted view's updates: as a member, or as a joiner up to date. */
  boolean complete();

  /** The last update held. */
  long received();

  /** The last update held that a crash does not lose, if this replica is to remember; otherwise the last one held. */
  default long durable() {
    return received();
  }

  /** The last stable update known. */
  long stable();

  /** Called when a new view is being agreed upon: assign and accept no updates until {@link #begin} or {@link #enter}. */
  void freeze(long now, Effects out);

  /**
   * Called before a view is accepted that begins without state, because all configured replicas had lost theirs. Only with {@link
   * org.understudy.replication.core.ReplicaSetup#startsEmpty}.
   */
  default void startEmpty(long epoch, int wire, Effects out) {
    throw new IllegalStateException("This log does not start empty.");
  }

  /**
   * Called before a view is accepted as a member, and before {@link #enter}: records that a restart needs precede that of the
   * accepted view.
   */
  default void entering(View view, long start, int wire, Effects out) {
    // A log that is lost in a crash needs no record.
  }

  /** Called when this replica is a member of the view: drop updates after {@code start}; the primary has the others. */
  void enter(long now, View view, long start, Effects out);

  /** Called when this replica is not in the view: its updates are void until it is brought up to date. */
  void leave(long now, View view, Effects out);

  /** Called when this replica is not in a small view but holds everything that can be stable: it may be in the next one. */
  void suspend(long now, Effects out);

  /** As the primary of the entered view: send this member its missing updates after {@code from}. Called again while it lacks some. */
  void synchronise(long now, ReplicaId member, long from, Effects out);

  /** As the primary of the entered view: the last update up to which this member acknowledged all; -1 before the first. */
  long acknowledged(ReplicaId member);

  /** As the primary: whether it sends the updates of its view itself at present, and no member does. */
  default boolean sendsUpdates() {
    return true;
  }

  /** As the primary: begin, because every member is synchronised and a majority has accepted. */
  void begin(long now, Effects out);

  /** Joiners that hold nearly everything that this primary holds, follow promptly, and wait for admission. Called at each tick. */
  List<ReplicaId> ready(long now);
}
