package org.understudy.container.service;

import jakarta.xml.soap.MessageFactory;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.soap.SOAPMessage;
import jakarta.xml.ws.Provider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.ServiceMode;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.WebServiceProvider;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import javax.xml.transform.Source;
import org.apache.cxf.Bus;
import org.apache.cxf.binding.soap.model.SoapBindingInfo;
import org.apache.cxf.binding.soap.wsdl.extensions.SoapBody;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.service.model.BindingInfo;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.MessagePartInfo;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.invoker.ReplicationPlace;
import org.understudy.container.invoker.RequestBinding;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;

/** Rejects services at deployment that cannot be replicated, with the reason; see {@code docs/services.md}. */
public final class ReplicableService {
  private ReplicableService() {}

  /**
   * Returns the class that {@code understudy.service} names.
   *
   * @param similar returns the classes of the web application with the same simple name as a class that it lacks
   */
  public static Class<?> named(String value, ClassLoader application, Function<String, List<String>> similar)
      throws ConfigurationException {
    String name = value.strip();
    if (name.isEmpty() || name.chars().anyMatch(c -> c == ',' || c == ';' || Character.isWhitespace(c))) {
      throw new ConfigurationException(
          "understudy.service names '" + name + "'. It names one service class; a second service belongs in a web application of "
              + "its own.");
    }
    try {
      return Class.forName(name, true, application);
    } catch (ClassNotFoundException e) {
      List<String> others = similar.apply(name);
      throw new ConfigurationException(
          "understudy.service names the class " + name + ", which is not in the web application."
              + (others.isEmpty() ? "" : " It has " + String.join(", ", others) + ". Name one of them."));
    } catch (LinkageError e) {
      throw new ConfigurationException("The service class " + name + " cannot be loaded: " + e + ".");
    }
  }

  /** Checks the class before anything is opened. */
  public static void check(Class<?> service) throws ConfigurationException {
    checkProvider(service);
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

  public static void constructor(Class<?> service, Class<?> type, String which, Class<?>... parameters)
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

  /** Creates a service that is one resource, with its home if it has a constructor for that. */
  public static Object makeWithOwnState(Class<?> service, ResourceHome<?> home) throws ConfigurationException {
    return takesHome(service)
        ? make(service, service, new Class<?>[] {ResourceHome.class}, home)
        : make(service, service, new Class<?>[0]);
  }

  /** Creates the service or a state object. */
  public static <T> T make(Class<?> service, Class<T> type, Class<?>[] parameters, Object... arguments)
      throws ConfigurationException {
    try {
      return type.getConstructor(parameters).newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw refused(service, "the constructor of " + type.getName() + " throws " + e.getCause());
    } catch (ReflectiveOperationException e) {
      throw refused(service, "the class " + type.getName() + " cannot be instantiated: " + e);
    }
  }

  /** Checks the contract that CXF has created. */
  public static void check(Class<?> service, Endpoint endpoint) throws ConfigurationException {
    BindingInfo binding = endpoint.getBinding().getBindingInfo();
    if (!(binding instanceof SoapBindingInfo)) {
      throw refused(service, "its binding is not SOAP");
    }
    if (Provider.class.isAssignableFrom(service)) {
      return;
    }
    List<String> encoded = new ArrayList<>();
    List<String> several = new ArrayList<>();
    for (BindingOperationInfo operation : binding.getOperations()) {
      String name = operation.getName().getLocalPart();
      BindingOperationInfo wrapped = RequestBinding.wrapped(operation);
      SoapBody body = wrapped.getInput().getExtensor(SoapBody.class);
      if (body != null && "encoded".equals(body.getUse())) {
        encoded.add(name);
      }
      List<MessagePartInfo> parts = RequestBinding.bodyParts(wrapped);
      if (!RequestBinding.isRpc(wrapped) && parts.size() > 1) {
        List<String> names = parts.stream().map(part -> part.getName().getLocalPart()).toList();
        several.add(name + " (" + String.join(", ", names) + ")");
      }
    }
    if (!encoded.isEmpty()) {
      String have = encoded.size() == 1 ? " has" : " have";
      throw refused(service, operations(encoded) + have + " use=encoded, which CXF does not support. Use literal");
    }
    if (!several.isEmpty()) {
      throw refused(
          service,
          "the Body of " + operations(several) + " does not consist of one element, which document/literal requires. Name one part in "
              + "the attribute parts of soap:body, or use wrapped parameters");
    }
  }

  private static String operations(List<String> names) {
    return (names.size() == 1 ? "its operation " : "its operations ") + String.join(", ", names);
  }

  /** Checks that CXF has found the operations of a service that a container may have put behind a proxy. */
  public static void checkOperations(Class<?> service, Endpoint endpoint) throws ConfigurationException {
    if (!Provider.class.isAssignableFrom(service) && endpoint.getBinding().getBindingInfo().getOperations().isEmpty()) {
      throw refused(
          service,
          "CXF has found no operation in the class that it was given, which may be that of a proxy. Name the endpointInterface in "
              + "@WebService, or give CXF the class of the service (setImplementorClass, or setServiceClass of a factory)");
    }
  }

  /** Checks that CXF executes a request again whose first execution was rolled back. */
  public static void checkAddressing(Class<?> service, Bus bus, Endpoint endpoint) throws ConfigurationException {
    if (ReplicationPlace.rejectsDuplicates(bus, endpoint)) {
      throw refused(
          service,
          "CXF's WS-Addressing rejects message ids that it has seen, also those of an execution that is repeated and of a retry. Set "
              + "allowDuplicates of WSAddressingFeature to true; the plugin executes each request once");
    }
  }

  /** Checks a contract whose messages are replicated after CXF's interceptors. */
  public static void checkAfterCxf(Class<?> service, Bus bus, Endpoint endpoint, ReplicationPlace place) throws ConfigurationException {
    if (place.isStreamed(bus, endpoint)) {
      throw refused(
          service,
          "streaming WS-Security does not report which header blocks are signed, so the plugin cannot require that the identity of a "
              + "request is signed. Set " + ReplicationPlace.STREAMING + " to false and use the interceptors that are not named WSS4JStax");
    }
  }

  /** Checks a Provider. CXF reports unsupported ones with the first request only, or not at all. */
  public static void checkProvider(Class<?> service) throws ConfigurationException {
    if (!Provider.class.isAssignableFrom(service)) {
      return;
    }
    if (!service.isAnnotationPresent(WebServiceProvider.class)) {
      throw refused(service, "it is a Provider without @WebServiceProvider");
    }
    ServiceMode mode = service.getAnnotation(ServiceMode.class);
    boolean whole = mode != null && mode.value() == Service.Mode.MESSAGE;
    Class<?> type = Object.class;
    for (Method method : service.getMethods()) {
      boolean ofProvider = method.getName().equals("invoke") && method.getParameterCount() == 1 && !method.isBridge();
      type = ofProvider ? method.getParameterTypes()[0] : type;
    }
    if (!Source.class.isAssignableFrom(type) && !SOAPMessage.class.isAssignableFrom(type)) {
      throw refused(service, "it is a Provider of " + type.getName() + ". With SOAP it must be one of Source or SOAPMessage");
    }
    if (SOAPMessage.class.isAssignableFrom(type) && !whole) {
      throw refused(service, "it is a Provider of SOAPMessage, which needs @ServiceMode(Service.Mode.MESSAGE)");
    }
    if (whole) {
      checkSoapMessages(service);
    }
  }

  /** Checks that SAAJ is present, which the mode MESSAGE needs. */
  private static void checkSoapMessages(Class<?> service) throws ConfigurationException {
    try {
      MessageFactory.newInstance();
    } catch (SOAPException | LinkageError e) {
      throw refused(
          service,
          "it is a Provider in mode MESSAGE, which needs SAAJ. Add com.sun.xml.messaging.saaj:saaj-impl to the web application");
    }
  }

  public static ConfigurationException refused(Class<?> service, String why) {
    return new ConfigurationException("The service " + service.getName() + " cannot be replicated: " + why + ".");
  }

  /** Makes an object of a class that {@link #constructor} has checked. */
  public static <T> T instance(Class<T> type) {
    try {
      return type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new WebServiceException(type.getName() + " needs a public constructor without parameters.", e);
    }
  }
}
