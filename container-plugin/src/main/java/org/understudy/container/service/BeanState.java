package org.understudy.container.service;

import java.util.function.Supplier;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.replication.api.ResourceState;
import org.understudy.replication.api.StateCapture;
import org.understudy.state.Targets;
import org.understudy.wsrf.resource.Resources;

/**
 * The state of a service object that the application has created.
 *
 * @param captured captures the state of the service, or of one of its resources
 * @param itself the state of a service that is one resource; null for a service that keeps its state in WS-Resources
 * @param fresh returns the state of a new resource, or {@code itself}
 */
public record BeanState(ServiceState captured, StateCapture itself, Supplier<StateCapture> fresh) {
  /**
   * Finds the state of an object.
   *
   * @param bean the service object, behind the proxies of a container
   * @throws ConfigurationException when it declares no state, or its state cannot be captured
   */
  public static BeanState of(Object bean, Configuration configuration) throws ConfigurationException {
    Class<?> service = Targets.typeOf(bean.getClass());
    ResourceState state = service.getAnnotation(ResourceState.class);
    if (state == null) {
      if (!ServiceState.isCaptured(service)) {
        throw ReplicableService.refused(
            service, "it neither names its @ResourceState nor implements StateCapture nor marks its state with @ReplicatedState");
      }
      ServiceState captured = ServiceState.of(service, configuration);
      UncapturedState.check(bean, service);
      StateCapture itself = captured.stateOfBean(bean);
      ServiceState.verify(itself);
      captured.is(itself);
      return new BeanState(captured, itself, () -> itself);
    }
    ReplicableService.constructor(service, state.value(), "");
    UncapturedState.check(bean, service);
    ServiceState captured = ServiceState.of(state.value(), configuration);
    ServiceState.verify(captured.stateOf(ReplicableService.make(service, state.value(), new Class<?>[0])));
    return new BeanState(captured, null, () -> captured.stateOf(ReplicableService.instance(state.value())));
  }

  /** Whether the service keeps its state in itself. */
  public boolean isOneResource() {
    return itself != null;
  }

  /** Sets the initial state of the resources. Call it before the first request. */
  public void begin(Resources resources) {
    if (isOneResource()) {
      resources.begin(itself);
    } else {
      resources.captureBy(captured::stateOf);
    }
  }
}
