package org.understudy.replication.core.transfer;

import org.understudy.replication.core.Message;
import org.understudy.replication.core.StateUpdate;
import org.understudy.replication.core.store.StateItems;

/** What a state transfer requires of the replica that gives its state. */
public interface TransferSource {
  /** The whole state as of the end of the log, in the order in which the joiner takes it. Closed by the caller. */
  StateItems items();

  /** The wire version to write the state in. */
  int wire();

  /** The message that brings an update of the log to a joiner that has the state. */
  Message message(StateUpdate update);
}
