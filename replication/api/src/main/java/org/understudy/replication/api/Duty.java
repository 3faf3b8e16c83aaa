package org.understudy.replication.api;

import java.util.Locale;

/** Work that exactly one member of a view does for the whole group, beside serving requests. It records it by updates. */
public enum Duty {
  /** Sends notifications to their consumers. */
  DELIVER_NOTIFICATIONS,
  /** Ends resources, subscriptions and registrations whose termination time has passed. */
  EXPIRE_LEASES,
  /** Keeps the subscriptions of demand-based publishing at publishers. */
  PUBLISH_ON_DEMAND,
  /** Sends the calls of the service to other services. */
  SEND_CALLS;

  /** The name in what replicas report: lower case, words joined by hyphens. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
