package org.understudy.replication.core.transfer;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.update.StateUpdate;

/** What a state transfer requires of the replica that sends its state. */
public interface TransferSource {
  /** The update as of which {@link #items} show the state: stable, or the end of the log. */
  long index();

  /**
   * The state as of {@link #index}, in the order in which the joiner restores it. The caller closes it.
   *
   * @param held what is left out; {@link Holdings#NOTHING} for the whole state
   */
  StateItems items(Holdings held);

  /** Whether a joiner that holds this lacks only what changed later. */
  boolean reliesOn(Holdings held);

  /**
   * The replicas that receive each part beside the joiner; with a naive transfer the other members of the view, otherwise none.
   * A naive transfer sends the whole state, and the source orders no updates meanwhile.
   */
  List<ReplicaId> audience();

  /** Whether the transfer is naive. */
  boolean isNaive();

  /** The shortest time in which this replica has answered lately, in nanoseconds; 0 if that is unknown. */
  default long roundTrip(ReplicaId joiner) {
    return 0;
  }

  /** Whether this joiner may be a member of the next view, once it has caught up. */
  default boolean mayInvite(long now, ReplicaId joiner) {
    return true;
  }

  /** The wire version in which to write the state. */
  int wire();

  /** The message that sends an update of the log to a joiner that has the state. */
  Message message(StateUpdate update);
}
