package org.understudy.container.transaction;

import org.understudy.replication.runtime.state.StateListener;

/** What the group's state keeps about transactions under keys of one kind: a prefix, and the id of a transaction. */
abstract class TransactionState implements StateListener {
  private final String prefix;

  TransactionState(String prefix) {
    this.prefix = prefix;
  }

  @Override
  public final boolean follows(String key) {
    return key.startsWith(prefix);
  }

  @Override
  public final void onChange(String key, byte[] state) {
    if (follows(key)) {
      changed(key.substring(prefix.length()), state);
    }
  }

  /**
   * As {@link StateListener#onChange}.
   *
   * @param state null: removed
   */
  abstract void changed(String id, byte[] state);
}
