package org.understudy.notification.operation;

import java.net.URI;
import java.util.function.Predicate;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.subscription.Lifetimes;
import org.understudy.soap.addressing.EndpointReference;

/**
 * The rules for new subscriptions. Immutable.
 *
 * @param max subscriptions at a time, from 1
 * @param lifetimes how long they last
 * @param allowedSinks permitted destinations; must not block
 * @param circular consumers from which messages would return to the producer; must not block
 * @param servers addresses of the producer's own servers: a raw message to one of them would be a forged request from the
 *     server itself; must not block
 */
public record SubscriptionRules(
    int max,
    Lifetimes lifetimes,
    Predicate<URI> allowedSinks,
    Predicate<URI> circular,
    Predicate<URI> servers) {
  /**
   * Checks a consumer.
   *
   * @param raw whether messages are sent without Notify
   * @throws NotificationFault {@link NotificationFaultType#SUBSCRIBE_CREATION_FAILED} when messages cannot or must not be
   *     sent there
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
   * Checks that there is room for another subscription.
   *
   * @throws NotificationFault {@link NotificationFaultType#SUBSCRIBE_CREATION_FAILED} when there is not
   */
  void checkRoom(int present) throws NotificationFault {
    if (present >= max) {
      throw refused("The limit of " + max + " subscriptions is reached.");
    }
  }

  private static NotificationFault refused(String why) {
    return NotificationFault.of(NotificationFaultType.SUBSCRIBE_CREATION_FAILED, why);
  }
}
