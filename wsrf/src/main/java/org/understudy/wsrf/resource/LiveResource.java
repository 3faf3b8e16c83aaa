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
  /** Set when a request waited too long for the lock: further requests do not wait until the lock is released. */
  volatile boolean occupied;
  /** How some properties of the object were last rendered; null: it has changed since. */
  Map<QName, String> values;
}
