package org.understudy.wsrf.lifetime;

import javax.xml.namespace.QName;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.basefault.ResourceFaultType;
import org.understudy.wsrf.operation.Invocation;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.property.ResourceOperation;

/** Ends a resource at once (WS-ResourceLifetime 1.2, section 4). */
final class Destroy extends ResourceOperation {
  private final Lifetimes lifetimes;

  Destroy(ResourceDocument document, Lifetimes lifetimes) {
    super(
        document,
        new QName(LifetimeOperations.NAMESPACE, "Destroy"),
        LifetimeOperations.ACTIONS + "ImmediateResourceTermination/DestroyResponse",
        null);
    this.lifetimes = lifetimes;
  }

  @Override
  protected String answer(Invocation invocation) throws DeclaredFault {
    if (!Lifetimes.canEnd(invocation.transaction().key())) {
      throw fault(
              ResourceFaultType.RESOURCE_NOT_DESTROYED,
              invocation,
              "The service has a single state, which ends with its deployment.")
          .declared();
    }
    lifetimes.destroy(invocation.transaction());
    return "<rl:DestroyResponse xmlns:rl=\"" + LifetimeOperations.NAMESPACE + "\"/>";
  }
}
