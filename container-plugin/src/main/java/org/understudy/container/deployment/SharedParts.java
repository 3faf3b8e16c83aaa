package org.understudy.container.deployment;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.container.attachment.AttachedEndpoint;
import org.understudy.container.caller.ConcurrencyLimiter;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.session.SessionEndpoint;
import org.understudy.replication.runtime.share.LocalShares;

/**
 * What the groups of one web application share: the limits of what requests hold, and the paths.
 *
 * @param held limits the bytes of requests in progress
 * @param limiter limits the number of requests in progress
 * @param polls limits the places of AwaitView requests that wait
 * @param paths the replicated endpoints that the web application publishes, by their paths; safe for several threads
 */
record SharedParts(LocalShares held, ConcurrencyLimiter limiter, LocalShares polls, Map<String, AttachedEndpoint> paths) {
  /** @param configuration of any group of the web application */
  static SharedParts of(Configuration configuration) {
    LocalShares held = new LocalShares("requests in progress hold %d bytes", configuration.heldBytes());
    return new SharedParts(
        held,
        new ConcurrencyLimiter(configuration.loadLimit()),
        SessionEndpoint.places(configuration),
        new ConcurrentHashMap<>());
  }
}
