package org.understudy.wsrf.resource;

import org.understudy.replication.api.OutgoingCall;

/** Takes the calls of a service to other services. Thread-safe. */
@FunctionalInterface
public interface CallSender {
  /**
   * Adds a call to an update.
   *
   * @return its {@code wsa:MessageID}
   * @throws IllegalArgumentException when it may not go there, or is too long
   * @throws IllegalStateException when too much waits for the destination already
   */
  String send(ResourceTransaction transaction, OutgoingCall call);
}
