package org.understudy.client;

import java.util.Map;
import org.understudy.replication.api.ReadLevel;

/**
 * One call of the application, the same for every attempt.
 *
 * @param message marshalled, or ready to be
 * @param headers HTTP headers, without content type and authorization
 * @param authorization the principal's HTTP header, or null
 * @param readLevel null when the service decides
 * @param deadline in {@link System#nanoTime()}
 */
record Invocation(
    OutgoingMessage message,
    Map<String, String> headers,
    String authorization,
    ResourcePath resource,
    ReadLevel readLevel,
    long deadline) {}
