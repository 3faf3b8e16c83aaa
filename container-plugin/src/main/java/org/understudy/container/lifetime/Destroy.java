package org.understudy.container.lifetime;

import javax.xml.namespace.QName;
import org.understudy.container.operation.Invocation;
import org.understudy.container.property.ResourceDocument;
import org.understudy.container.property.ResourceOperation;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.basefault.ResourceFaultType;

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
    if (!Lifetimes.canEnd(invocation.visit().key())) {
      throw fault(
              ResourceFaultType.RESOURCE_NOT_DESTROYED,
              invocation,
              "The service keeps its state in itself: it ends with its deployment.")
          .declared();
    }
    lifetimes.destroy(invocation.visit());
    return "<rl:DestroyResponse xmlns:rl=\"" + LifetimeOperations.NAMESPACE + "\"/>";
  }
}
