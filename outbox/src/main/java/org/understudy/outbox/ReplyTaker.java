package org.understudy.outbox;

import org.understudy.replication.api.OutgoingReply;
import org.understudy.wsrf.resource.ResourceTransaction;

/** Delivers replies to the service. */
@FunctionalInterface
public interface ReplyTaker {
  /** Calls the service as part of the update. An exception of the service undoes the update. */
  void replied(ResourceTransaction update, OutgoingReply reply);
}
