package org.understudy.client;

import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.soap.TransactionReference;

/**
 * One call of the application, the same for every attempt.
 *
 * @param message marshalled, or ready to be
 * @param authorization the HTTP header of the session's principal, or null
 * @param readLevel null when the service decides
 * @param transaction null outside of transactions
 * @param deadline in {@link System#nanoTime()}
 */
record Invocation(
    OutgoingMessage message,
    String authorization,
    ResourcePath resource,
    ReadLevel readLevel,
    TransactionReference transaction,
    long deadline) {}
