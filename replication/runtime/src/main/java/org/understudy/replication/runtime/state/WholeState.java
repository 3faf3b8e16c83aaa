package org.understudy.replication.runtime.state;

import java.util.function.BiConsumer;

/** The state of every resource, as of one update. Valid only during the call that it is passed to. */
public interface WholeState {
  /** Passes each key with its state, in no order. */
  void forEach(BiConsumer<String, byte[]> taker);
}
