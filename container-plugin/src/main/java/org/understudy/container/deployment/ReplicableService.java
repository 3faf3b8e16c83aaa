package org.understudy.container.deployment;

import jakarta.xml.ws.Provider;
import jakarta.xml.ws.WebServiceProvider;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.model.SoapBindingInfo;
import org.apache.cxf.binding.soap.model.SoapHeaderInfo;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.service.model.BindingInfo;
import org.apache.cxf.service.model.BindingMessageInfo;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.MessagePartInfo;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;

/** Refuses at deployment what cannot be replicated as it is, with the reason; see {@code docs/services.md}. */
final class ReplicableService {
  private ReplicableService() {}

  /** The one class that {@code understudy.service} names. */
  static Class<?> named(String value, ClassLoader application) throws ConfigurationException {
    String name = value.strip();
    if (name.isEmpty() || name.chars().anyMatch(c -> c == ',' || c == ';' || Character.isWhitespace(c))) {
      throw new ConfigurationException(
          "understudy.service names '" + name + "'. It names one service class; a second service belongs in a web application of "
              + "its own.");
    }
    try {
      return Class.forName(name, true, application);
    } catch (ClassNotFoundException e) {
      throw new ConfigurationException(
          "understudy.service names the class " + name + ", which is not in the web application.");
    } catch (LinkageError e) {
      throw new ConfigurationException("The service class " + name + " cannot be loaded: " + e + ".");
    }
  }

  /** Looks at the class before anything is opened. */
  static void check(Class<?> service) throws ConfigurationException {
    if (Provider.class.isAssignableFrom(service) || service.isAnnotationPresent(WebServiceProvider.class)) {
      throw refused(service, "it is a Provider, whose contract does not distinguish its operations. Use a @WebService");
    }
    if (service.isInterface() || Modifier.isAbstract(service.getModifiers())) {
      throw refused(service, "it is abstract. Name the class that implements the service");
    }
    ResourceState state = service.getAnnotation(ResourceState.class);
    if (state == null) {
      if (!ServiceState.isCaptured(service)) {
        throw refused(
            service,
            "it neither names its @ResourceState nor implements StateCapture nor marks its state with @ReplicatedState");
      }
      if (takesHome(service)) {
        constructor(service, service, " that takes a ResourceHome", ResourceHome.class);
      } else {
        constructor(service, service, "");
      }
    } else {
      constructor(service, service, " that takes a ResourceHome", ResourceHome.class);
      constructor(service, state.value(), "");
    }
  }

  private static void constructor(Class<?> service, Class<?> type, String which, Class<?>... parameters)
      throws ConfigurationException {
    try {
      Constructor<?> constructor = type.getConstructor(parameters);
      if (!Modifier.isPublic(type.getModifiers()) || Modifier.isAbstract(type.getModifiers())) {
        throw refused(service, "the class " + type.getName() + " is not public, or is abstract");
      }
      constructor.getParameterCount();
    } catch (NoSuchMethodException e) {
      String needed = which.isEmpty() ? " without parameters" : which;
      throw refused(
          service,
          "the class " + type.getName() + " has no public constructor" + needed
              + ", and injection by a container is not supported");
    }
  }

  private static boolean takesHome(Class<?> service) {
    return Arrays.stream(service.getConstructors())
        .anyMatch(one -> Arrays.equals(one.getParameterTypes(), new Class<?>[] {ResourceHome.class}));
  }

  /** Makes a service that keeps its state in itself: with its home, if it has a constructor that takes one. */
  static Object makeWithOwnState(Class<?> service, ResourceHome<?> home) throws ConfigurationException {
    return takesHome(service)
        ? make(service, service, new Class<?>[] {ResourceHome.class}, home)
        : make(service, service, new Class<?>[0]);
  }

  /** Makes the service or a state object. */
  static <T> T make(Class<?> service, Class<T> type, Class<?>[] parameters, Object... arguments)
      throws ConfigurationException {
    try {
      return type.getConstructor(parameters).newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw refused(service, "the constructor of " + type.getName() + " throws " + e.getCause());
    } catch (ReflectiveOperationException e) {
      throw refused(service, "the class " + type.getName() + " cannot be instantiated: " + e);
    }
  }

  /** Looks at the contract that CXF has made. */
  static void check(Class<?> service, Endpoint endpoint) throws ConfigurationException {
    BindingInfo binding = endpoint.getBinding().getBindingInfo();
    if (!(binding instanceof SoapBindingInfo soap)) {
      throw refused(service, "its binding is not SOAP");
    }
    Map<QName, String> operations = new HashMap<>();
    for (BindingOperationInfo operation : binding.getOperations()) {
      String name = operation.getName().getLocalPart();
      BindingOperationInfo wrapped = operation.isUnwrapped() ? operation.getWrappedOperation() : operation;
      if ("rpc".equals(soap.getStyle(operation.getOperationInfo()))) {
        throw refused(service, "its operation " + name + " is RPC/literal. Use document/literal, the default of @SOAPBinding");
      }
      QName element = element(wrapped);
      if (element == null) {
        throw refused(
            service,
            "a call of its operation " + name + " has an empty Body and cannot be recognised. Use wrapped parameters");
      }
      String other = operations.put(element, name);
      if (other != null) {
        throw refused(
            service, "its operations " + other + " and " + name + " have the same element " + element + " in the Body");
      }
      if (wrapped.getOutput() != null && hasHeader(wrapped.getOutput())) {
        throw refused(
            service,
            "its operation " + name + " returns a SOAP header, which a stored reply cannot hold. Return the value in the result");
      }
    }
  }

  private static QName element(BindingOperationInfo operation) {
    for (MessagePartInfo part : operation.getInput().getMessageParts()) {
      if (part.isElement()) {
        return part.getElementQName();
      }
    }
    return null;
  }

  private static boolean hasHeader(BindingMessageInfo message) {
    return message.getExtensors(SoapHeaderInfo.class) != null && !message.getExtensors(SoapHeaderInfo.class).isEmpty();
  }

  private static ConfigurationException refused(Class<?> service, String why) {
    return new ConfigurationException("The service " + service.getName() + " cannot be replicated: " + why + ".");
  }
}
