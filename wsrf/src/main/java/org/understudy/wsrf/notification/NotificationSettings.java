package org.understudy.wsrf.notification;

import java.net.URI;
import java.util.List;
import org.understudy.notification.delivery.DeliverySettings;
import org.understudy.notification.operation.PullPointRules;
import org.understudy.notification.operation.SubscriptionRules;

/**
 * Limits of notifications, and their permitted destinations. Immutable.
 *
 * @param application the URL of the web application at this replica
 * @param applications its URLs at all replicas
 * @param subscriptions the rules for subscriptions; those whose consumer is a pull point of the group are always permitted
 * @param pullPoints the rules for pull points
 * @param delivery settings
 * @param requestBytes of a request to the operations
 * @param keptMessages that wait for consumers
 * @param keptBytes of them
 * @param localNames whether a topic may be named without its namespace
 */
public record NotificationSettings(
    URI application,
    List<URI> applications,
    SubscriptionRules subscriptions,
    PullPointRules pullPoints,
    DeliverySettings delivery,
    int requestBytes,
    int keptMessages,
    long keptBytes,
    boolean localNames) {
  public NotificationSettings {
    applications = List.copyOf(applications);
  }
}
