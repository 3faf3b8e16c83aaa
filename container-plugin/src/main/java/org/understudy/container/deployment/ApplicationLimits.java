package org.understudy.container.deployment;

import org.understudy.container.caller.ConcurrencyLimiter;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.intake.Shares;
import org.understudy.container.session.SessionEndpoint;

/**
 * What requests may hold in one web application, whatever their group.
 *
 * @param held limits the bytes of requests in progress
 * @param limiter limits the number of requests in progress
 * @param polls limits the places of AwaitView requests that wait
 */
record ApplicationLimits(Shares held, ConcurrencyLimiter limiter, Shares polls) {
  /** @param configuration of any group of the web application */
  static ApplicationLimits of(Configuration configuration) {
    Shares held = new Shares("requests in progress hold %d bytes", configuration.heldBytes());
    return new ApplicationLimits(
        held,
        new ConcurrencyLimiter(configuration.loadThreshold(), held),
        SessionEndpoint.places(configuration));
  }
}
