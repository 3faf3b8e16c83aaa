package org.understudy.client.connection;

import java.time.Duration;
import javax.net.ssl.SSLContext;

/**
 * The settings of connections.
 *
 * @param connectTimeout for one TCP connection, and again for its TLS handshake
 * @param responseTimeout without a byte from the replica
 * @param maxConnections open at once to one replica
 * @param maxResponseBytes of one answer
 * @param tls for https addresses; null takes the JVM's default
 */
public record ConnectionSettings(
    Duration connectTimeout, Duration responseTimeout, int maxConnections, int maxResponseBytes, SSLContext tls) {}
