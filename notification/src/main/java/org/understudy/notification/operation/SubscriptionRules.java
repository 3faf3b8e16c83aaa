package org.understudy.notification.operation;

import java.net.URI;
import java.util.function.Predicate;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.subscription.Lifetimes;
import org.understudy.soap.addressing.EndpointReference;

/**
 * What subscriptions may be made. Immutable.
 *
 * @param most at a time, from 1
 * @param lifetimes how long they last
 * @param allowedSinks where messages may go; must not block
 * @param circular consumers from which messages would come back to the producer; must not block
 * @param servers where the producer's own servers listen; a raw message there would be a request of anybody's making that
 *     comes from the server itself; must not block
 */
public record SubscriptionRules(
    int most,
    Lifetimes lifetimes,
    Predicate<URI> allowedSinks,
    Predicate<URI> circular,
    Predicate<URI> servers) {
  /**
   * Checks a consumer.
   *
   * @param raw whether messages are sent without a Notify around them
   * @throws NotificationFault {@link NotificationFaultType#SUBSCRIBE_CREATION_FAILED} when messages cannot or may not go there
   */
  void check(EndpointReference consumer, boolean raw) throws NotificationFault {
    URI address = consumer.address();
    String scheme = address.getScheme();
    if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)) {
      throw refused("Consumers are reached by http or https only, not at " + address + ".");
    }
    if (address.getHost() == null || address.getRawUserInfo() != null || address.getRawFragment() != null
        || address.getPort() == 0 || address.getPort() > 65_535) {
      throw refused("The consumer's address is not a plain http or https address: " + address + ".");
    }
    if (circular.test(address)) {
      throw refused("The consumer is the producer itself, at " + address + ": messages would loop.");
    }
    if (!allowedSinks.test(address)) {
      String port = address.getPort() < 0 ? "" : ":" + address.getPort();
      throw refused("Consumers at " + address.getHost() + port + " are not allowed.");
    }
    if (raw && servers.test(address)) {
      throw refused(
          "Raw messages are not sent to " + address.getHost() + ":" + address.getPort()
              + ", where the producer's own server listens. Subscribe without UseRaw.");
    }
  }

  /**
   * Checks that there is room for one more.
   *
   * @throws NotificationFault {@link NotificationFaultType#SUBSCRIBE_CREATION_FAILED} when there is not
   */
  void checkRoom(int present) throws NotificationFault {
    if (present >= most) {
      throw refused("The limit of " + most + " subscriptions is reached.");
    }
  }

  private static NotificationFault refused(String why) {
    return NotificationFault.of(NotificationFaultType.SUBSCRIBE_CREATION_FAILED, why);
  }
}
