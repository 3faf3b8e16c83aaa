package org.understudy.outbox;

import org.understudy.replication.api.OutgoingReply;
import org.understudy.wsrf.resource.ResourceTransaction;

/** Gives replies to the service. */
@FunctionalInterface
public interface ReplyTaker {
  /** Calls the service, as part of the update. What it throws undoes the update. */
  void replied(ResourceTransaction update, OutgoingReply reply);
}
