package org.understudy.container.service;

import java.util.List;
import javax.wsdl.extensions.UnknownExtensibilityElement;
import javax.xml.namespace.QName;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.replication.soap.ReplicationNames;

/**
 * The element of a request that holds its priority, which a contract names by {@code ur:Priority} in the operation of its binding, where
 * WSDL 1.1 allows extensions.
 */
final class ContractPriority {
  private static final QName ELEMENT = new QName(ReplicationNames.NAMESPACE, "Priority");

  private ContractPriority() {}

  /**
   * Returns the local name of the element; null if the contract declares none.
   *
   * @param wrapped the operation with its message as on the wire
   * @throws ConfigurationException when the declaration is invalid
   */
  static String of(BindingOperationInfo wrapped, Class<?> implementation) throws ConfigurationException {
    List<UnknownExtensibilityElement> extensions = wrapped.getExtensors(UnknownExtensibilityElement.class);
    String found = null;
    for (UnknownExtensibilityElement extension : extensions == null ? List.<UnknownExtensibilityElement>of() : extensions) {
      if (ELEMENT.equals(extension.getElementType())) {
        String name = extension.getElement().getTextContent().strip();
        if (found != null || name.isEmpty() || name.chars().anyMatch(c -> c == ':' || Character.isWhitespace(c))) {
          throw ReplicableService.refused(
              implementation,
              "its contract has more than one ur:Priority at the operation " + wrapped.getName().getLocalPart()
                  + ", or one that is not the local name of an element. Correct the contract");
        }
        found = name;
      }
    }
    return found;
  }
}
