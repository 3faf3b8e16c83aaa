package org.understudy.container.invoker;

import jakarta.xml.ws.WebFault;
import java.util.List;
import java.util.Objects;
import javax.xml.namespace.QName;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.Extensible;
import org.apache.cxf.service.model.FaultInfo;
import org.apache.cxf.service.model.OperationInfo;
import org.apache.cxf.ws.addressing.JAXWSAConstants;
import org.apache.cxf.ws.addressing.Names;

/**
 * The actions of WS-Addressing for an operation: those that its contract declares, else the default ones (WS-Addressing 1.0 Metadata,
 * section 4.4.4). As of CXF, which contracts of any age may use.
 */
public final class AddressingActions {
  /** The namespaces of declared actions: first those that CXF reads, in its order. */
  private static final List<String> NAMESPACES =
      List.of(
          JAXWSAConstants.NS_WSAW, Names.WSA_NAMESPACE_WSDL_METADATA, JAXWSAConstants.NS_WSA, Names.WSA_NAMESPACE_WSDL_NAME_OLD,
          "http://www.w3.org/2006/02/addressing/wsdl", "http://schemas.xmlsoap.org/ws/2004/08/addressing");

  private AddressingActions() {}

  /** Returns the action that the contract declares for a message; null if it declares none. */
  public static String declared(Extensible message) {
    for (String namespace : NAMESPACES) {
      Object declared = message.getExtensionAttribute(new QName(namespace, Names.WSAW_ACTION_NAME));
      String action = declared instanceof QName name ? name.getLocalPart() : Objects.toString(declared, "");
      if (!action.isEmpty()) {
        return action;
      }
    }
    return null;
  }

  /** Returns the action of the response; null for an operation without one. */
  public static String ofResponse(BindingOperationInfo binding) {
    OperationInfo operation = binding.getOperationInfo();
    if (operation.getOutput() == null) {
      return null;
    }
    String declared = declared(operation.getOutput());
    String name = operation.getOutputName();
    return declared != null ? declared : path(operation, name == null ? operation.getName().getLocalPart() + "Response" : name);
  }

  /** Returns the action of a fault that the operation declares. */
  public static String ofFault(BindingOperationInfo binding, FaultInfo fault) {
    String declared = declared(fault);
    return declared != null ? declared : ofFault(binding, fault.getFaultName().getLocalPart());
  }

  /** Returns the action of a fault that the operation does not declare. */
  public static String ofFault(BindingOperationInfo binding, Fault fault) {
    if (Names.WSA_NAMESPACE_NAME.equals(fault.getFaultCode().getNamespaceURI())) {
      return Names.WSA_DEFAULT_FAULT_ACTION;
    }
    Throwable cause = fault.getCause() == null ? fault : fault.getCause();
    WebFault named = cause.getClass().getAnnotation(WebFault.class);
    return ofFault(binding, named == null ? cause.getClass().getSimpleName() : named.name());
  }

  private static String ofFault(BindingOperationInfo binding, String name) {
    OperationInfo operation = binding.getOperationInfo();
    return path(operation, operation.getName().getLocalPart(), "Fault", name);
  }

  private static String path(OperationInfo operation, String... steps) {
    QName port = operation.getInterface().getName();
    String delimiter = port.getNamespaceURI().startsWith("urn:") ? ":" : "/";
    StringBuilder path = new StringBuilder(port.getNamespaceURI());
    if (path.indexOf(delimiter, path.length() - 1) < 0) {
      path.append(delimiter);
    }
    return path.append(port.getLocalPart()).append(delimiter).append(String.join(delimiter, steps)).toString();
  }
}
