package org.understudy.notification.connection;

import java.time.Duration;

/**
 * How to connect, and what is read of answers. Immutable.
 *
 * @param threads that move bytes; as many again for https, once there is any; from 1
 * @param connectTimeout for a TCP connection, and for each step of a TLS handshake, from 1 ms
 * @param responseTimeout from a TCP connection to the response's last byte, from 1 ms
 * @param reuse whether connections are kept for further requests
 * @param answerBytes that are read of an answer; more is a failure
 * @param keepAnswers whether somebody wants to see them
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
