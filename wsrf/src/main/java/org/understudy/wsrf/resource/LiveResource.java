package org.understudy.wsrf.resource;

import java.util.Map;
import javax.xml.namespace.QName;
import org.understudy.replication.api.StateCapture;

/** One resource at this replica: its lock, and its object with the version that the object shows. */
final class LiveResource {
  final ResourceLock lock = new ResourceLock();
  /** Guarded by the lock, and by this object's monitor, because reads that share the lock may restore it. */
  StateCapture object;
  long version = -1;
  /** The position that the object shows; null for a plain or an initial state. Guarded like the object. */
  StoredState.Position position;
  /** A second object for reads beside an update that holds the lock; null: none. Guarded by this object's monitor. */
  StateCapture copy;
  /** The version of the resource that the copy shows, or a lower one. */
  long copyVersion;
  /** Set when a request waited too long for the lock: further requests do not wait until the lock is released. */
  volatile boolean occupied;
  /** What holds the lock, for the log; null when that is unknown. */
  volatile Object holder;
  /** How some properties of the object were last rendered; null: it has changed since. */
  Map<QName, String> values;
}
