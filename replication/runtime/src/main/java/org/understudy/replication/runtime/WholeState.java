package org.understudy.replication.runtime;

import java.util.function.BiConsumer;

/** The state of every resource, as of one update. Good for the time of the call that it was handed to. */
public interface WholeState {
  /** Hands over each key with its state, in no order. */
  void forEach(BiConsumer<String, byte[]> taker);
}
