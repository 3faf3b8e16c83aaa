package org.understudy.client;

import org.understudy.client.connection.Access;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.soap.TransactionReference;

/**
 * One call of the application, the same for every attempt.
 *
 * @param message marshalled, or ready to be
 * @param access of the session's principal
 * @param timeouts of the port or the call
 * @param readLevel null when the service decides
 * @param transaction null outside of transactions
 * @param deadline in {@link System#nanoTime()}, by the group's settings
 */
record Invocation(
    OutgoingMessage message,
    Access access,
    CallTimeouts timeouts,
    ResourcePath resource,
    ReadLevel readLevel,
    TransactionReference transaction,
    long deadline) {}
