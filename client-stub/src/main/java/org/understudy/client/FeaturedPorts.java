package org.understudy.client;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.xml.namespace.QName;
import org.apache.cxf.jaxws.support.JaxWsImplementorInfo;
import org.apache.cxf.jaxws.support.JaxWsServiceFactoryBean;
import org.apache.cxf.service.factory.AbstractServiceFactoryBean;
import org.apache.cxf.service.factory.FactoryBeanListener;
import org.apache.cxf.service.model.InterfaceInfo;
import org.apache.cxf.service.model.ServiceInfo;
import org.apache.cxf.wsdl.service.factory.AbstractServiceConfiguration;

/**
 * Removes the operations that an interface lacks from the model of its port, where JAX-WS makes the port with
 * {@link FaultTolerant#feature}: CXF logs a warning for each. Other ports are not changed. CXF creates a listener for each bus,
 * see {@code META-INF/cxf/bus-extensions.txt}. Thread-safe.
 */
public final class FeaturedPorts implements FactoryBeanListener {
  @Override
  public void handleEvent(Event event, AbstractServiceFactoryBean factory, Object... arguments) {
    if (event != Event.SERVICE_SET
        || !(factory instanceof JaxWsServiceFactoryBean ports)
        || ports.getWsFeatures() == null
        || ports.getWsFeatures().stream().noneMatch(FaultTolerantFeature.class::isInstance)
        || ports.getServiceClass() == null
        || !ports.getServiceClass().isInterface()) {
      return;
    }
    QName name = new JaxWsImplementorInfo(ports.getServiceClass()).getInterfaceName();
    for (ServiceInfo service : ports.getService().getServiceInfos()) {
      if (service.getInterface() != null && name.equals(service.getInterface().getName())) {
        PortOperations.keepOnly(operations(ports, service.getInterface()), service.getInterface());
      }
    }
  }

  private static Set<QName> operations(JaxWsServiceFactoryBean ports, InterfaceInfo portType) {
    List<AbstractServiceConfiguration> configurations = ports.getServiceConfigurations();
    Set<QName> own = new HashSet<>();
    for (Method method : ports.getServiceClass().getMethods()) {
      configurations.stream()
          .map(configuration -> configuration.getOperationName(portType, method))
          .filter(Objects::nonNull)
          .findFirst()
          .ifPresent(own::add);
    }
    return own;
  }
}
