package org.understudy.wsrf.resource;

import java.util.Map;
import javax.xml.namespace.QName;
import org.understudy.replication.api.StateCapture;

/** One resource here: its lock, and its object while it is known to be up to date. */
final class LiveResource {
  final ResourceLock lock = new ResourceLock();
  /** Guarded by the lock; reads may restore it too, so by this object's monitor as well. */
  StateCapture object;
  long version = -1;
  /** A request has waited for the lock in vain; later ones do not wait, until an operation leaves. */
  volatile boolean occupied;
  /** How the values of some properties of the object were last rendered; null: it changed since. */
  Map<QName, String> values;
}
