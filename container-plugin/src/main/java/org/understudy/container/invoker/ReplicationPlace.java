package org.understudy.container.invoker;

import jakarta.xml.ws.handler.Handler;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cxf.Bus;
import org.apache.cxf.common.util.PropertyUtils;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.interceptor.Interceptor;
import org.apache.cxf.interceptor.InterceptorProvider;
import org.apache.cxf.jaxws.support.JaxWsEndpointImpl;
import org.apache.cxf.message.Message;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.ws.addressing.MAPAggregator;
import org.apache.cxf.ws.policy.PolicyEngine;
import org.apache.neethi.Assertion;
import org.apache.neethi.Policy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place where requests to an endpoint are replicated: before CXF, or after its interceptors. The latter is necessary when CXF may
 * authenticate, authorise or change a request, or change its response. Before CXF, any caller that knows the identity of a
 * request would receive its stored reply.
 *
 * @param isAfterCxf whether requests are replicated behind CXF's interceptors
 * @param reasons the handlers, interceptors and policies that were found in CXF
 */
public record ReplicationPlace(boolean isAfterCxf, List<String> reasons) {
  /** The property of CXF by which WS-Security is read from a stream. */
  public static final String STREAMING = "ws-security.enable.streaming";

  private static final Logger LOG = LoggerFactory.getLogger(ReplicationPlace.class);
  /** Packages with interceptors that neither authenticate a caller nor change the content of a message. */
  private static final List<String> NEUTRAL_PACKAGES =
      List.of(
          "org.apache.cxf.binding.soap.",
          "org.apache.cxf.frontend.",
          "org.apache.cxf.interceptor.",
          "org.apache.cxf.jaxws.handler.",
          "org.apache.cxf.jaxws.interceptors.",
          "org.apache.cxf.metrics.",
          "org.apache.cxf.ext.logging.",
          "org.apache.cxf.transport.",
          "org.apache.cxf.ws.addressing.",
          // They add what a policy requires; the policy itself is checked.
          "org.apache.cxf.ws.policy.",
          "org.apache.cxf.wsdl.interceptors.",
          "org.understudy.container.attachment.",
          "org.understudy.container.interceptor.");
  /** Exceptions among those packages: authentication, authorisation and transformation. */
  private static final List<String> RELEVANT_PACKAGES =
      List.of(
          "org.apache.cxf.interceptor.security.", "org.apache.cxf.interceptor.transform.",
          // Authorises by the client's certificate.
          "org.apache.cxf.transport.https.");
  /** Policies that only concern the format of a message. */
  private static final List<String> FORMAT_POLICIES =
      List.of("http://www.w3.org/2007/05/addressing/metadata",
          // The one of CXF's @Addressing.
          "http://www.w3.org/2007/02/addressing/metadata", "http://www.w3.org/2006/05/addressing/wsdl",
          "http://schemas.xmlsoap.org/ws/2004/09/policy/optimizedmimeserialization");

  /**
   * Examines a published endpoint with its features and handlers.
   *
   * @param configured {@code auto}, {@code before} or {@code after}
   */
  public static ReplicationPlace of(Bus bus, Endpoint endpoint, String configured) {
    List<String> reasons = new ArrayList<>();
    if (endpoint instanceof JaxWsEndpointImpl jaxws) {
      for (Handler<?> handler : jaxws.getJaxwsBinding().getHandlerChain()) {
        reasons.add("the handler " + handler.getClass().getName());
      }
    }
    Stream.<InterceptorProvider>of(bus, endpoint.getService(), endpoint, endpoint.getBinding())
        .flatMap(ReplicationPlace::interceptors)
        .map(one -> one.getClass().getName())
        .filter(name -> !isNeutral(name))
        .distinct()
        .forEach(name -> reasons.add("the interceptor " + name));
    policies(bus, endpoint).map(name -> "the policy " + name).forEach(reasons::add);
    boolean after = configured.equals("auto") ? !reasons.isEmpty() : configured.equals("after");
    return new ReplicationPlace(after, List.copyOf(reasons));
  }

  private static Stream<Interceptor<? extends Message>> interceptors(InterceptorProvider provider) {
    return Stream.of(
            provider.getInInterceptors(), provider.getOutInterceptors(), provider.getInFaultInterceptors(),
            provider.getOutFaultInterceptors())
        .flatMap(List::stream);
  }

  private static boolean isNeutral(String name) {
    return NEUTRAL_PACKAGES.stream().anyMatch(name::startsWith) && !isOfUser(name);
  }

  /** Whether a class is a user's choice, also where CXF contains it. */
  static boolean isOfUser(String name) {
    return RELEVANT_PACKAGES.stream().anyMatch(name::startsWith);
  }

  /** Whether WS-Security is read from a stream, of which {@link SignedIdentity} sees nothing. */
  public boolean isStreamed(Bus bus, Endpoint endpoint) {
    return Stream.of(bus.getProperty(STREAMING), endpoint.getEndpointInfo().getProperty(STREAMING), endpoint.get(STREAMING))
            .anyMatch(PropertyUtils::isTrue)
        || Stream.<InterceptorProvider>of(bus, endpoint.getService(), endpoint, endpoint.getBinding())
            .flatMap(ReplicationPlace::interceptors)
            .anyMatch(ReplicationPlace::isStreamed);
  }

  /** Whether an interceptor is one of WSS4J's that read from a stream, or a subclass of one. */
  private static boolean isStreamed(Interceptor<? extends Message> one) {
    return Stream.<Class<?>>iterate(one.getClass(), Objects::nonNull, Class::getSuperclass)
        .anyMatch(type -> type.getSimpleName().startsWith("WSS4JStax"));
  }

  /**
   * Whether CXF's WS-Addressing rejects a message id that it has seen. It would refuse an execution that is repeated after a rollback, and
   * a retry that has a stored reply.
   */
  public static boolean rejectsDuplicates(Bus bus, Endpoint endpoint) {
    return Stream.<InterceptorProvider>of(bus, endpoint.getService(), endpoint, endpoint.getBinding())
        .flatMap(ReplicationPlace::interceptors)
        .anyMatch(one -> one instanceof MAPAggregator addressing && !addressing.allowDuplicates());
  }

  private static Stream<String> policies(Bus bus, Endpoint endpoint) {
    return assertions(bus, endpoint)
        .map(Assertion::getName)
        .filter(name -> !FORMAT_POLICIES.contains(name.getNamespaceURI()))
        .map(Object::toString)
        .distinct();
  }

  private static Stream<Assertion> assertions(Bus bus, Endpoint endpoint) {
    PolicyEngine engine = bus.getExtension(PolicyEngine.class);
    if (engine == null || !engine.isEnabled()) {
      return Stream.empty();
    }
    List<Policy> policies = new ArrayList<>();
    policies.add(engine.getServerEndpointPolicy(endpoint.getEndpointInfo(), null, null).getPolicy());
    for (BindingOperationInfo operation : endpoint.getBinding().getBindingInfo().getOperations()) {
      policies.add(engine.getEffectiveServerRequestPolicy(endpoint.getEndpointInfo(), operation, null).getPolicy());
    }
    return policies.stream().flatMap(ReplicationPlace::assertions);
  }

  /** Returns the assertions of all alternatives. */
  private static Stream<Assertion> assertions(Policy policy) {
    List<Assertion> all = new ArrayList<>();
    if (policy != null) {
      policy.normalize(true).getAlternatives().forEachRemaining(all::addAll);
    }
    return all.stream();
  }

  /**
   * Logs the place and its reason in one line.
   *
   * @param path of the service
   */
  public void log(String path) {
    if (isAfterCxf) {
      LOG.info(
          "Requests to {} are replicated after CXF's interceptors: {}. The standard operations of WSRF and WS-Notification are not "
              + "offered there.",
          path, reasons.isEmpty() ? "understudy.place is after" : "CXF may authenticate or change them by " + this);
    } else if (reasons.isEmpty()) {
      LOG.info("Requests to {} are replicated before CXF: nothing in CXF authenticates or changes them.", path);
    } else {
      LOG.warn(
          "Requests to {} are replicated before CXF, because understudy.place is before. A duplicate gets the stored reply without "
              + "passing {}. If that authenticates callers, set understudy.place to auto.",
          path, this);
    }
  }

  /** Returns the first five reasons, for a log line. */
  @Override
  public String toString() {
    return reasons.stream().limit(5).collect(Collectors.joining(", ")) + (reasons.size() > 5 ? " and others" : "");
  }
}
