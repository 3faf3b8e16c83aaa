package org.understudy.wsrf.lifetime;

import org.understudy.wsrf.resource.ResourceTransaction;

/** How the resources of one kind end. */
@FunctionalInterface
public interface Destruction {
  /** As a service's own resources do, and all that are kept under one key. */
  Destruction OF_ITS_STATE = ResourceTransaction::destroy;

  /** Ends the visited resource, within an update; must not block. Its termination time need not be seen to. */
  void destroy(ResourceTransaction transaction);
}
