package org.understudy.container.resource;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.understudy.replication.api.StateCapture;

/** One resource here: its lock, and its object while it is known to be up to date. */
final class LiveResource {
  final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  /** Guarded by the lock; reads may restore it too, so by this object's monitor as well. */
  StateCapture object;
  long version = -1;
}
