package org.understudy.notification.servlet;

import javax.xml.namespace.QName;

/** The reference parameter with a subscription's id, the same as the last step of its address. */
final class SubscriptionParameter {
  /** The name of the element, and of the header block that it becomes. */
  static final QName NAME = new QName("urn:understudy:notification:1", "SubscriptionId", "un");

  private SubscriptionParameter() {}

  /** The element of a subscription. */
  static String of(String id) {
    return "<un:SubscriptionId xmlns:un=\"" + NAME.getNamespaceURI() + "\">" + id + "</un:SubscriptionId>";
  }
}
