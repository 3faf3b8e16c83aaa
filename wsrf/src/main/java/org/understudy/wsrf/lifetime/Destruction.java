package org.understudy.wsrf.lifetime;

import org.understudy.wsrf.resource.ResourceTransaction;

/** Ends resources of one kind. */
@FunctionalInterface
public interface Destruction {
  /** The default: removes the state of the resource. */
  Destruction OF_ITS_STATE = ResourceTransaction::destroy;

  /** Ends the transaction's resource, in an update; must not block. The caller removes its termination time. */
  void destroy(ResourceTransaction transaction);
}
