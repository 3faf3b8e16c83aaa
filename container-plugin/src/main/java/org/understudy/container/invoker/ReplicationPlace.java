package org.understudy.container.invoker;

import jakarta.xml.ws.handler.Handler;
import java.util.ArrayList;
import java.util.List;
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
import org.apache.cxf.ws.policy.PolicyEngine;
import org.apache.neethi.Assertion;
import org.apache.neethi.Policy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the requests of an endpoint are replicated: before CXF, or behind its interceptors, where something of the user's in CXF
 * may authenticate or authorise a request, or change its message or its answer. Before CXF a stored reply would go to anyone
 * who knows the identity of its request.
 *
 * @param isAfterCxf whether requests are replicated behind CXF's interceptors
 * @param reasons what was found in CXF
 */
public record ReplicationPlace(boolean isAfterCxf, List<String> reasons) {
  /** The property of CXF by which WS-Security is read from a stream. */
  public static final String STREAMING = "ws-security.enable.streaming";

  private static final Logger LOG = LoggerFactory.getLogger(ReplicationPlace.class);
  /** Interceptors of CXF's own that neither authenticate nor change what a message means. */
  private static final List<String> OURS_OR_CXFS =
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
          // They add what a policy requires; the policy itself is looked at.
          "org.apache.cxf.ws.policy.",
          "org.apache.cxf.wsdl.interceptors.",
          "org.understudy.container.interceptor.");
  /** Among those: authentication, authorisation, and what stands for a user's code. */
  private static final List<String> NOT_CXFS =
      List.of(
          "org.apache.cxf.interceptor.security.", "org.apache.cxf.interceptor.transform.",
          // Authorises by the client's certificate.
          "org.apache.cxf.transport.https.");
  /** Policies that say how a message is written, not who may send it. */
  private static final List<String> HARMLESS_POLICIES =
      List.of("http://www.w3.org/2007/05/addressing/metadata", "http://www.w3.org/2006/05/addressing/wsdl",
          "http://schemas.xmlsoap.org/ws/2004/09/policy/optimizedmimeserialization");

  /**
   * Looks at an endpoint that has been published, with its features and handlers in place.
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
        .filter(name -> !isCxfs(name))
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

  private static boolean isCxfs(String name) {
    return OURS_OR_CXFS.stream().anyMatch(name::startsWith) && !isOfUser(name);
  }

  /** Whether a class is a user's choice, also where CXF contains it. */
  static boolean isOfUser(String name) {
    return NOT_CXFS.stream().anyMatch(name::startsWith);
  }

  /** Whether WS-Security is read from a stream, of which {@link SignedIdentity} sees nothing. */
  public boolean isStreamed(Bus bus, Endpoint endpoint) {
    return Stream.of(bus.getProperty(STREAMING), endpoint.getEndpointInfo().getProperty(STREAMING), endpoint.get(STREAMING))
            .anyMatch(PropertyUtils::isTrue)
        || Stream.<InterceptorProvider>of(bus, endpoint.getService(), endpoint, endpoint.getBinding())
            .flatMap(ReplicationPlace::interceptors)
            .anyMatch(one -> one.getClass().getSimpleName().startsWith("WSS4JStax"));
  }

  private static Stream<String> policies(Bus bus, Endpoint endpoint) {
    PolicyEngine engine = bus.getExtension(PolicyEngine.class);
    if (engine == null || !engine.isEnabled()) {
      return Stream.empty();
    }
    List<Policy> policies = new ArrayList<>();
    policies.add(engine.getServerEndpointPolicy(endpoint.getEndpointInfo(), null, null).getPolicy());
    for (BindingOperationInfo operation : endpoint.getBinding().getBindingInfo().getOperations()) {
      policies.add(engine.getEffectiveServerRequestPolicy(endpoint.getEndpointInfo(), operation, null).getPolicy());
    }
    return policies.stream()
        .flatMap(ReplicationPlace::assertions)
        .map(Assertion::getName)
        .filter(name -> !HARMLESS_POLICIES.contains(name.getNamespaceURI()))
        .map(Object::toString)
        .distinct();
  }

  /** The assertions of all alternatives. */
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

  /** What was found, for a log line. */
  @Override
  public String toString() {
    return reasons.stream().limit(5).collect(Collectors.joining(", ")) + (reasons.size() > 5 ? " and others" : "");
  }
}
