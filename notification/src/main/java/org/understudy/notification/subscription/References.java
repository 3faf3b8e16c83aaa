package org.understudy.notification.subscription;

import org.understudy.soap.addressing.EndpointReference;

/** The endpoint references in messages and answers. They may differ between replicas. Thread-safe; fast. */
public interface References {
  /**
   * The reference of a producer.
   *
   * @param key of the resource; empty: the service
   */
  EndpointReference producer(String key);

  /** The reference of a subscription at its manager. */
  EndpointReference subscription(String id);

  /** The reference of a pull point. */
  EndpointReference pullPoint(String id);
}
