package org.understudy.wsrf.lifetime;

import java.time.Instant;
import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.wsrf.contract.Property;
import org.understudy.wsrf.property.PropertySource;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.TerminationTime;

/** CurrentTime and TerminationTime (WS-ResourceLifetime 1.2, section 5.1); only SetTerminationTime changes one. */
public final class LifetimeProperties implements PropertySource {
  private static final QName CURRENT_TIME = new QName(LifetimeOperations.NAMESPACE, "CurrentTime");
  private static final QName TERMINATION_TIME = new QName(LifetimeOperations.NAMESPACE, "TerminationTime");

  @Override
  public List<QName> names() {
    return List.of(CURRENT_TIME, TERMINATION_TIME);
  }

  @Override
  public Property describe(QName name) {
    return new Property(name, null, false, false);
  }

  @Override
  public void append(QName name, ResourceTransaction transaction, Instant now, StringBuilder to) {
    Instant time = name.equals(CURRENT_TIME) ? now : TerminationTime.of(transaction, transaction.key());
    LifetimeOperations.time(name.getLocalPart(), time, to);
  }

  @Override
  public boolean isOfTheMoment(QName name) {
    return name.equals(CURRENT_TIME);
  }
}
