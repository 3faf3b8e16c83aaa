package org.understudy.container.service;

import jakarta.xml.ws.Provider;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.model.SoapOperationInfo;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.service.invoker.MethodDispatcher;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.FaultInfo;
import org.apache.cxf.service.model.MessagePartInfo;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.invoker.AddressingActions;
import org.understudy.container.invoker.RequestBinding;
import org.understudy.container.operation.Operation;
import org.understudy.container.operation.Operations;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;

/** Reads the operations of a service from the model that CXF has built from its contract or its code. */
public final class CxfOperations {
  private CxfOperations() {}

  /**
   * Returns the operations by the element in the Body; see {@link Operations#EMPTY_BODY} and {@link Operations#ANY_BODY}.
   *
   * @param implementation the class whose methods have {@link Read}
   * @param rules how reads are declared
   * @throws ConfigurationException when two operations cannot be distinguished, or annotation and contract contradict each other
   */
  public static Map<QName, Operation> of(Endpoint endpoint, Class<?> implementation, ReadRules rules) throws ConfigurationException {
    if (Provider.class.isAssignableFrom(implementation)) {
      return Map.of(Operations.ANY_BODY, ofProvider(endpoint, implementation, rules));
    }
    Map<QName, List<Operation>> byElement = new LinkedHashMap<>();
    MethodDispatcher dispatcher = (MethodDispatcher) endpoint.getService().get(MethodDispatcher.class.getName());
    for (BindingOperationInfo operation : endpoint.getBinding().getBindingInfo().getOperations()) {
      BindingOperationInfo wrapped = RequestBinding.wrapped(operation);
      ContractAction declared = ContractAction.of(wrapped, implementation);
      Read annotated = annotation(dispatcher.getMethod(operation), implementation);
      ReadLevel read = read(annotated, declared, rules, implementation, operation.getName().getLocalPart());
      byElement.computeIfAbsent(RequestBinding.element(wrapped), element -> new ArrayList<>()).add(
          new Operation(
              read, AddressingActions.ofResponse(wrapped), faults(wrapped), null, operation.getName(), actions(wrapped), List.of(),
              ContractPriority.of(wrapped, implementation), annotated == null && declared.type() == null ? rules.claimed() : null));
    }
    Map<QName, Operation> operations = new HashMap<>();
    for (Map.Entry<QName, List<Operation>> entry : byElement.entrySet()) {
      List<Operation> candidates = entry.getValue();
      operations.put(
          entry.getKey(),
          candidates.size() == 1
              ? candidates.get(0).selectedBy(Set.of())
              : Operation.oneOf(distinguished(implementation, entry.getKey(), candidates)));
    }
    return operations;
  }

  private static Operation ofProvider(Endpoint endpoint, Class<?> implementation, ReadRules rules) throws ConfigurationException {
    for (BindingOperationInfo operation : endpoint.getBinding().getBindingInfo().getOperations()) {
      if (ContractAction.of(RequestBinding.wrapped(operation), implementation).type() != null) {
        throw ReplicableService.refused(
            implementation,
            "its contract has ur:ActionType at the operation " + operation.getName().getLocalPart()
                + ", but the plugin does not know which operation a Provider executes. Use @Read at invoke if all are reads");
      }
    }
    ReadLevel read = null;
    for (Method method : implementation.getMethods()) {
      Read declared = method.getName().equals("invoke") && !method.isBridge() ? method.getAnnotation(Read.class) : null;
      read = declared == null ? read : level(declared, rules);
    }
    QName port = endpoint.getEndpointInfo().getInterface().getName();
    String delimiter = port.getNamespaceURI().startsWith("urn:") ? ":" : "/";
    return new Operation(read, port.getNamespaceURI() + delimiter + port.getLocalPart() + delimiter + "Response", Map.of(), null);
  }

  /** Returns copies of the operations, each with the actions that only it declares. */
  private static List<Operation> distinguished(Class<?> implementation, QName element, List<Operation> candidates)
      throws ConfigurationException {
    List<Operation> distinguished = new ArrayList<>();
    for (Operation one : candidates) {
      Set<String> own = new HashSet<>(one.actions());
      candidates.stream().filter(other -> other != one).forEach(other -> own.removeAll(other.actions()));
      if (own.isEmpty()) {
        List<String> names = candidates.stream().map(operation -> operation.name().getLocalPart()).sorted().toList();
        String body = element.equals(Operations.EMPTY_BODY) ? "an empty Body" : "the same element " + element + " in the Body";
        throw ReplicableService.refused(
            implementation,
            "its operations " + String.join(" and ", names) + " have " + body
                + " and no action that distinguishes them. Give each an @WebMethod(action) of its own");
      }
      distinguished.add(one.selectedBy(own));
    }
    return distinguished;
  }

  /** Returns the actions that the contract declares for a request, in SOAPAction or {@code wsa:Action}. */
  private static Set<String> actions(BindingOperationInfo operation) {
    Set<String> actions = new HashSet<>();
    SoapOperationInfo soap = operation.getExtensor(SoapOperationInfo.class);
    if (soap != null && soap.getAction() != null && !soap.getAction().isEmpty()) {
      actions.add(soap.getAction());
    }
    String declared = AddressingActions.declared(operation.getOperationInfo().getInput());
    if (declared != null) {
      actions.add(declared);
    }
    return actions;
  }

  private static Read annotation(Method method, Class<?> implementation) {
    try {
      return implementation.getMethod(method.getName(), method.getParameterTypes()).getAnnotation(Read.class);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** Returns the level of a read; null for an update, which is also what neither annotation nor contract declares. */
  private static ReadLevel read(Read annotated, ContractAction declared, ReadRules rules, Class<?> implementation, String operation)
      throws ConfigurationException {
    if (annotated == null) {
      return !declared.isRead() ? null : declared.level() == null ? rules.defaultLevel() : declared.level();
    }
    if (declared.isUpdate()) {
      throw ReplicableService.refused(
          implementation, "its operation " + operation + " is marked @Read, but an update by the contract. Change one of them");
    }
    boolean both = declared.level() != null && annotated.value() != ReadLevel.LINEARIZABLE;
    if (both && declared.level() != annotated.value()) {
      throw ReplicableService.refused(
          implementation,
          "its operation " + operation + " has the level " + annotated.value().wireName() + " by @Read, but "
              + declared.level().wireName() + " by the contract. Change one of them");
    }
    return declared.level() != null ? declared.level() : level(annotated, rules);
  }

  private static ReadLevel level(Read read, ReadRules rules) {
    return read.value() == ReadLevel.LINEARIZABLE ? rules.defaultLevel() : read.value();
  }

  private static Map<QName, String> faults(BindingOperationInfo operation) {
    Map<QName, String> faults = new HashMap<>();
    for (FaultInfo fault : operation.getOperationInfo().getFaults()) {
      for (MessagePartInfo part : fault.getMessageParts()) {
        if (part.isElement()) {
          faults.put(part.getElementQName(), AddressingActions.ofFault(operation, fault));
        }
      }
    }
    return Map.copyOf(faults);
  }
}
