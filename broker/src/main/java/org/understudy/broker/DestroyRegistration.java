package org.understudy.broker;

import java.time.Instant;
import javax.xml.namespace.QName;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.wsrf.lifetime.Lifetimes;
import org.understudy.wsrf.operation.Invocation;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.property.ResourceOperation;

/** The end of a registration (WS-BrokeredNotification 1.3, section 5.2). */
final class DestroyRegistration extends ResourceOperation {
  private final Lifetimes lifetimes;

  DestroyRegistration(ResourceDocument document, Lifetimes lifetimes) {
    super(
        document,
        new QName(Registration.NAMESPACE, "DestroyRegistration"),
        "http://docs.oasis-open.org/wsn/brw-2/PublisherRegistrationManager/DestroyRegistrationResponse",
        null);
    this.lifetimes = lifetimes;
  }

  @Override
  public DeclaredFault unavailable(String sentence, Instant now) {
    return NotificationFault.of(NotificationFaultType.REGISTRATION_NOT_DESTROYED, sentence).declared(now);
  }

  @Override
  protected String answer(Invocation invocation) {
    lifetimes.destroy(invocation.transaction());
    return "<br:DestroyRegistrationResponse xmlns:br=\"" + Registration.NAMESPACE + "\"/>";
  }
}
