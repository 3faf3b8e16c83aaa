package org.understudy.client;

import java.util.Map;
import org.understudy.client.envelope.Envelope;
import org.understudy.replication.api.ReadLevel;

/**
 * One call of the application, marshalled: the same on every attempt.
 *
 * @param headers HTTP headers, without content type and authorization
 * @param authorization the principal's HTTP header, or null
 * @param readLevel null when the service decides
 * @param deadline in {@link System#nanoTime()}
 */
record Invocation(
    Envelope envelope,
    String contentType,
    Map<String, String> headers,
    String authorization,
    ResourcePath resource,
    ReadLevel readLevel,
    long deadline) {}
