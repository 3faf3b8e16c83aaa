package org.understudy.client;

import jakarta.jws.WebParam;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import javax.xml.namespace.QName;
import org.apache.cxf.jaxws.support.JaxWsServiceFactoryBean;
import org.apache.cxf.service.model.BindingInfo;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.InterfaceInfo;
import org.apache.cxf.service.model.MessageInfo;
import org.apache.cxf.service.model.MessagePartInfo;
import org.apache.cxf.service.model.OperationInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the model of a port from a WSDL, with the operations of its interface only. The contract of a replicated service has
 * the operations of WSRF and WS-Notification beside the service's own, and CXF warns of each that the interface lacks.
 *
 * <p>The interface may have been generated from another version of the contract. Elements that it lacks are left out. Parameters that
 * the contract lacks are refused when a call has a value for them, see {@link UnsentParameters}. A missing operation is logged.
 */
final class PortOperations extends JaxWsServiceFactoryBean {
  private static final Logger LOG = LoggerFactory.getLogger(PortOperations.class);

  @Override
  protected void initializeWSDLOperations() {
    InterfaceInfo portType = getInterfaceInfo();
    Set<QName> own = new HashSet<>();
    List<String> missing = new ArrayList<>();
    for (Method method : getServiceClass().getMethods()) {
      if (isValidMethod(method)) {
        QName name = getOperationName(portType, method);
        own.add(name);
        if (portType.getOperation(name) == null) {
          missing.add(name.getLocalPart());
        }
      }
    }
    if (!missing.isEmpty()) {
      LOG.warn("The contract of {} has no operation {} of the interface {}, which was generated from another version of it. A call of it "
          + "fails and is not sent.", portType.getName(), String.join(", ", missing), getServiceClass().getName());
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

  @Override
  protected void initializeWSDLOperation(InterfaceInfo portType, OperationInfo operation, Method method) {
    OperationInfo unwrapped = operation.getUnwrappedOperation();
    if (isWrapped(method) && unwrapped != null) {
      int parameters = method.getParameterCount();
      if (unwrapped.hasInput()) {
        Map<Integer, String> unsent =
            match(
                unwrapped.getInput(), 0, parameters, i -> isInParam(method, i) && !isHeader(method, i),
                i -> isNamed(method.getParameters()[i]),
                i -> List.of(getInPartName(unwrapped, method, i), getInParameterName(unwrapped, method, i)));
        if (!unsent.isEmpty()) {
          operation.setProperty(UnsentParameters.class.getName(), unsent);
        }
      }
      if (unwrapped.hasOutput()) {
        match(
            unwrapped.getOutput(), -1, parameters,
            i -> (i < 0 ? method.getReturnType() != void.class : isOutParam(method, i)) && !isHeader(method, i),
            i -> false,
            i -> List.of(getOutPartName(unwrapped, method, i), getOutParameterName(unwrapped, method, i)));
      }
    }
    super.initializeWSDLOperation(portType, operation, method);
  }

  /**
   * Removes the parts that the interface lacks, and adds those that only the interface has, because CXF leaves an operation unfinished
   * at the first parameter without a part. CXF binds parts of other names by their position, so nothing is changed if the number is the
   * same and a parameter without a part has no name in the interface.
   *
   * @param begin -1 to begin with the return value
   * @param named whether the interface names a parameter, so that it must not be sent under another name
   * @return the names of the parameters without a part, by their position
   */
  private static Map<Integer, String> match(
      MessageInfo message, int begin, int end, IntPredicate selected, IntPredicate named, IntFunction<List<QName>> namesOf) {
    Map<Integer, List<QName>> absent = new TreeMap<>();
    Set<MessagePartInfo> known = new HashSet<>();
    int parameters = 0;
    for (int i = begin; i < end; i++) {
      if (selected.test(i)) {
        parameters++;
        List<QName> names = namesOf.apply(i);
        MessagePartInfo found = part(message, names);
        if (found == null) {
          absent.put(i, names);
        } else {
          known.add(found);
        }
      }
    }
    boolean byPosition = absent.isEmpty() || !absent.keySet().stream().allMatch(named::test);
    if (parameters == message.getMessagePartsNumber() && byPosition) {
      return Map.of();
    }
    for (MessagePartInfo part : List.copyOf(message.getMessageParts())) {
      if (!known.contains(part)) {
        message.removeMessagePart(part.getName());
      }
    }
    Map<Integer, String> added = new TreeMap<>();
    absent.forEach((i, names) -> {
      MessagePartInfo part = message.addMessagePart(names.get(0));
      part.setElement(false);
      part.setConcreteName(names.get(1));
      added.put(i, names.get(1).getLocalPart());
    });
    return added;
  }

  private static boolean isNamed(Parameter parameter) {
    WebParam annotation = parameter.getAnnotation(WebParam.class);
    return annotation != null && !annotation.name().isEmpty();
  }

  private static MessagePartInfo part(MessageInfo message, List<QName> names) {
    for (MessagePartInfo part : message.getMessageParts()) {
      for (QName name : names) {
        String local = name.getLocalPart();
        if (part.getName().getLocalPart().equals(local) || part.getConcreteName().getLocalPart().equals(local)) {
          return part;
        }
      }
    }
    return null;
  }
}
