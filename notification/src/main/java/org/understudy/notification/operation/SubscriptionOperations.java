package org.understudy.notification.operation;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.subscription.EndReason;
import org.understudy.notification.subscription.Lifetimes;
import org.understudy.notification.subscription.RequestedTermination;
import org.understudy.notification.subscription.Subscription;
import org.understudy.soap.envelope.RequestReader;
import org.understudy.soap.envelope.SoapFault;

/**
 * The operations of a pausable SubscriptionManager (WS-BaseNotification 1.3, section 6); otherwise like {@link
 * ProducerOperations}. All throw {@link NotificationFaultType#RESOURCE_UNKNOWN} when the subscription is unknown or has
 * ended.
 */
public final class SubscriptionOperations {
  private final Lifetimes lifetimes;
  private final SubscriptionStore store;
  private final Clock clock;

  /**
   * @param lifetimes how long subscriptions may last
   * @param clock the wall clock of termination times
   */
  public SubscriptionOperations(Lifetimes lifetimes, SubscriptionStore store, Clock clock) {
    this.lifetimes = lifetimes;
    this.store = store;
    this.clock = clock;
  }

  /**
   * Renew (section 6.1.1).
   *
   * @param request stands on the element in its Body
   * @throws NotificationFault {@link NotificationFaultType#UNACCEPTABLE_TERMINATION_TIME} too
   */
  public byte[] renew(String id, RequestReader request) throws NotificationFault, SoapFault, XMLStreamException {
    RequestedTermination requested = new ManagementReader(request).renew();
    Instant now = clock.instant();
    Optional<Instant> termination = renew(id, requested, now).termination();
    return Answers.element("RenewResponse", out -> {
      Answers.terminationTime(out, termination);
      Answers.currentTime(out, now);
    });
  }

  /** Sets a subscription's termination time, also for WS-ResourceLifetime's SetTerminationTime. */
  public Subscription renew(String id, RequestedTermination requested, Instant now) throws NotificationFault {
    Subscription subscription = require(id, now);
    Subscription renewed =
        subscription.until(lifetimes.grant(requested, now, NotificationFaultType.UNACCEPTABLE_TERMINATION_TIME));
    store.put(renewed);
    return renewed;
  }

  /** Unsubscribe (section 6.1.2). The queue is dropped; a message in flight may still arrive. */
  public byte[] unsubscribe(String id, RequestReader request) throws NotificationFault, XMLStreamException {
    request.readToEnd();
    require(id, clock.instant());
    store.remove(id, EndReason.UNSUBSCRIBED);
    return Answers.empty("UnsubscribeResponse");
  }

  /** PauseSubscription (section 6.2.1). Queued messages, and those published until the resumption, are not sent. */
  public byte[] pause(String id, RequestReader request) throws NotificationFault, XMLStreamException {
    request.readToEnd();
    Subscription subscription = require(id, clock.instant());
    if (!subscription.paused()) {
      store.put(subscription.pause());
    }
    return Answers.empty("PauseSubscriptionResponse");
  }

  /** ResumeSubscription (section 6.2.2). */
  public byte[] resume(String id, RequestReader request) throws NotificationFault, XMLStreamException {
    request.readToEnd();
    Subscription subscription = require(id, clock.instant());
    if (subscription.paused()) {
      store.put(subscription.resume(store.position()));
    }
    return Answers.empty("ResumeSubscriptionResponse");
  }

  /** The subscription's resource property document, {@code wsnt:SubscriptionManagerRP} (section 6). */
  public byte[] properties(String id) throws NotificationFault {
    Instant now = clock.instant();
    return PropertyDocuments.of(require(id, now), now);
  }

  private Subscription require(String id, Instant now) throws NotificationFault {
    Subscription subscription = store.find(id);
    if (subscription == null || subscription.expiredAt(now)) {
      throw NotificationFault.of(NotificationFaultType.RESOURCE_UNKNOWN, "The subscription is unknown or has ended.");
    }
    return subscription;
  }
}
