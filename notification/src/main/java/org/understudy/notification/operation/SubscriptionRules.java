package org.understudy.notification.operation;

import java.net.URI;
import java.util.function.Predicate;
import org.understudy.notification.addressing.EndpointReference;
import org.understudy.notification.fault.FaultType;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.subscription.Lifetimes;

/**
 * What subscriptions may be made. Immutable.
 *
 * @param most at a time, from 1
 * @param lifetimes how long they last
 * @param allowedSinks where messages may go; must not block
 * @param circular consumers from which messages would come back to the producer; must not block
 */
public record SubscriptionRules(
    int most, Lifetimes lifetimes, Predicate<URI> allowedSinks, Predicate<URI> circular) {
  /**
   * Checks a consumer.
   *
   * @throws NotificationFault {@link FaultType#SUBSCRIBE_CREATION_FAILED} when messages cannot or may not go there
   */
  void check(EndpointReference consumer) throws NotificationFault {
    URI address = consumer.address();
    String scheme = address.getScheme();
    if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)) {
      throw refused("Consumers are reached by http or https only, not at " + address + ".");
    }
    if (address.getHost() == null || address.getRawUserInfo() != null || address.getRawFragment() != null
        || address.getPort() == 0 || address.getPort() > 65_535) {
      throw refused("The consumer's address is no plain http or https address: " + address + ".");
    }
    if (circular.test(address)) {
      throw refused("The consumer is the producer itself, at " + address + ": messages would go round in a circle.");
    }
    if (!allowedSinks.test(address)) {
      throw refused("Consumers on the host " + address.getHost() + " are not allowed.");
    }
  }

  /**
   * Checks that there is room for one more.
   *
   * @throws NotificationFault {@link FaultType#SUBSCRIBE_CREATION_FAILED} when there is not
   */
  void checkRoom(int present) throws NotificationFault {
    if (present >= most) {
      throw refused("There are " + most + " subscriptions already, the most allowed.");
    }
  }

  private static NotificationFault refused(String why) {
    return NotificationFault.of(FaultType.SUBSCRIBE_CREATION_FAILED, why);
  }
}
