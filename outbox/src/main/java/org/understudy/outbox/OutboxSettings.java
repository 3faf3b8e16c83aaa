package org.understudy.outbox;

import java.net.URI;
import java.util.function.Predicate;
import org.understudy.notification.connection.TrustAnchors;

/**
 * Limits of outgoing calls, and where they may go. Immutable.
 *
 * @param allowed where calls may go
 * @param hostsSetting the name of the setting that this is
 * @param destinationBytes of the calls that wait for one destination
 * @param bytesSetting the name of the setting that this is
 * @param attempts that fail, after which a call is a dead letter; those that did not reach the destination do not count
 * @param replyBytes of one answer
 * @param trust for https
 */
public record OutboxSettings(
    Predicate<URI> allowed,
    String hostsSetting,
    long destinationBytes,
    String bytesSetting,
    int attempts,
    int replyBytes,
    TrustAnchors trust) {}
