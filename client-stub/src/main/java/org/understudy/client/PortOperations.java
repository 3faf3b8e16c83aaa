package org.understudy.client;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import org.apache.cxf.jaxws.support.JaxWsServiceFactoryBean;
import org.apache.cxf.service.model.BindingInfo;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.InterfaceInfo;
import org.apache.cxf.service.model.OperationInfo;

/**
 * Makes the model of a port from a WSDL, with the operations of its interface only. The contract of a replicated service has
 * the operations of WSRF and WS-Notification beside the service's own, and CXF warns of each that the interface lacks.
 */
final class PortOperations extends JaxWsServiceFactoryBean {
  @Override
  protected void initializeWSDLOperations() {
    InterfaceInfo portType = getInterfaceInfo();
    Set<QName> own = new HashSet<>();
    for (Method method : getServiceClass().getMethods()) {
      if (isValidMethod(method)) {
        own.add(getOperationName(portType, method));
      }
    }
    keepOnly(own, portType);
    super.initializeWSDLOperations();
  }

  /** Removes all other operations from a port type and its bindings. */
  static void keepOnly(Set<QName> own, InterfaceInfo portType) {
    for (BindingInfo binding : portType.getService().getBindings()) {
      for (BindingOperationInfo operation : List.copyOf(binding.getOperations())) {
        if (!own.contains(operation.getName())) {
          binding.removeOperation(operation);
        }
      }
    }
    for (OperationInfo operation : List.copyOf(portType.getOperations())) {
      if (!own.contains(operation.getName())) {
        portType.removeOperation(operation);
      }
    }
  }
}
