package org.understudy.notification.connection;

import java.time.Duration;

/**
 * The settings of connections and of the answers read from them. Immutable.
 *
 * @param threads that move bytes; as many again for https, once there is any; from 1
 * @param connectTimeout for a TCP connection, and for each step of a TLS handshake, from 1 ms
 * @param responseTimeout from a TCP connection to the response's last byte, from 1 ms
 * @param reuse whether connections are kept for further requests
 * @param answerBytes the longest answer; a longer one is a failure
 * @param keepAnswers whether the bodies of answers are kept for the caller
 * @param trust for https
 */
public record ConnectionSettings(
    int threads,
    Duration connectTimeout,
    Duration responseTimeout,
    boolean reuse,
    int answerBytes,
    boolean keepAnswers,
    TrustAnchors trust) {}
