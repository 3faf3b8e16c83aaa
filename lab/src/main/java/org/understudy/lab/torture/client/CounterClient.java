package org.understudy.lab.torture.client;

import org.understudy.lab.torture.history.Level;

/** One client: one thread, one session, one operation at a time. */
interface CounterClient extends AutoCloseable {
  /** Adds to a counter. Blocks until the outcome is known, or the client gives up. */
  Attempt add(int counter, int amount) throws InterruptedException;

  /** Reads a counter. A read has no effect, so its outcome is never unknown. */
  Attempt read(int counter, Level level) throws InterruptedException;

  /** Runs a transaction and records it, if it was begun. */
  void transact(TransactionScript script, TransactionRecorder recorder) throws InterruptedException;

  @Override
  void close();
}
