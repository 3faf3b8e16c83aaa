package org.understudy.notification.subscription;

import javax.xml.namespace.QName;

/** The reference parameter with a subscription's id, the same as the last step of its address. */
public final class SubscriptionParameter {
  /** The name of the element, and of the header block that it becomes. */
  public static final QName NAME = new QName("urn:understudy:notification:1", "SubscriptionId", "un");

  private SubscriptionParameter() {}

  /** The element of a subscription. */
  public static String of(String id) {
    return "<un:SubscriptionId xmlns:un=\"" + NAME.getNamespaceURI() + "\">" + id + "</un:SubscriptionId>";
  }
}
