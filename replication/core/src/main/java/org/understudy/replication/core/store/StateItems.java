package org.understudy.replication.core.store;

/** The items of a state as of one update, returned one by one while the state changes. */
public interface StateItems extends AutoCloseable {
  /** The next item, or null after the last. */
  Item next();

  @Override
  void close();
}
