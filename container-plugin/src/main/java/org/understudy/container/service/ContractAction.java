package org.understudy.container.service;

import java.util.List;
import javax.wsdl.extensions.UnknownExtensibilityElement;
import javax.xml.namespace.QName;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.soap.ActionType;
import org.understudy.replication.soap.ReplicationNames;
import org.w3c.dom.Element;

/**
 * What a contract declares of an operation, by {@code ur:ActionType} in the operation of its binding, where WSDL 1.1 allows extensions.
 *
 * @param type null if the contract declares nothing
 * @param level of a read; null if the contract declares none
 */
record ContractAction(ActionType type, ReadLevel level) {
  private static final QName ELEMENT = new QName(ReplicationNames.NAMESPACE, ActionType.NAME);
  private static final String LEVEL = "level";
  private static final ContractAction NONE = new ContractAction(null, null);

  /**
   * Reads the declaration.
   *
   * @param wrapped the operation with its message as on the wire
   * @throws ConfigurationException when it is invalid
   */
  static ContractAction of(BindingOperationInfo wrapped, Class<?> implementation) throws ConfigurationException {
    List<UnknownExtensibilityElement> extensions = wrapped.getExtensors(UnknownExtensibilityElement.class);
    ContractAction found = NONE;
    for (UnknownExtensibilityElement extension : extensions == null ? List.<UnknownExtensibilityElement>of() : extensions) {
      if (ELEMENT.equals(extension.getElementType())) {
        if (found != NONE) {
          throw invalid(wrapped, implementation, "more than one ur:ActionType");
        }
        found = read(extension.getElement(), wrapped, implementation);
      }
    }
    return found;
  }

  private static ContractAction read(Element element, BindingOperationInfo wrapped, Class<?> implementation)
      throws ConfigurationException {
    String level = element.getAttribute(LEVEL).strip();
    try {
      ActionType type = ActionType.parse(element.getTextContent().strip());
      if (type == ActionType.UPDATE && !level.isEmpty()) {
        throw invalid(wrapped, implementation, "a level for an update");
      }
      return new ContractAction(type, level.isEmpty() ? null : ReadLevel.parse(level));
    } catch (IllegalArgumentException e) {
      throw invalid(
          wrapped, implementation, "a ur:ActionType that is not read or update, or a level that is not linearizable, session or local");
    }
  }

  private static ConfigurationException invalid(BindingOperationInfo wrapped, Class<?> implementation, String what) {
    return ReplicableService.refused(
        implementation, "its contract has " + what + " at the operation " + wrapped.getName().getLocalPart() + ". Correct the contract");
  }

  /** Whether the contract declares the operation an update. */
  boolean isUpdate() {
    return type == ActionType.UPDATE;
  }

  /** Whether the contract declares the operation a read. */
  boolean isRead() {
    return type == ActionType.READ;
  }
}
