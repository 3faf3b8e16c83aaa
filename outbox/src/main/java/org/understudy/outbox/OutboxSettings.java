package org.understudy.outbox;

import java.net.URI;
import java.util.function.Predicate;
import org.understudy.notification.connection.TrustAnchors;

/**
 * Limits of outgoing calls, and the addresses that are allowed. Immutable.
 *
 * @param allowed accepts the addresses to which calls may be sent
 * @param hostsSetting the name of the setting of the allowed hosts
 * @param destinationBytes the maximum size of the calls that wait for one destination
 * @param bytesSetting the name of the setting of that maximum
 * @param attempts counted failures after which a call becomes a dead letter; attempts that did not reach the destination do not count
 * @param replyBytes the maximum size of one answer
 * @param trust the certificates that are trusted for https
 */
public record OutboxSettings(
    Predicate<URI> allowed,
    String hostsSetting,
    long destinationBytes,
    String bytesSetting,
    int attempts,
    int replyBytes,
    TrustAnchors trust) {}
