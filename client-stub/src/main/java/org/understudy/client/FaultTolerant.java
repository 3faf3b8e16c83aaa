package org.understudy.client;

import jakarta.xml.ws.EndpointReference;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.util.List;
import org.apache.cxf.feature.AbstractFeature;
import org.understudy.client.invocation.InvocationFailedException;

/**
 * Creates fault-tolerant JAX-WS clients. Every call through such a client is sent to the current primary and executed
 * exactly once while its session lives; the application uses a plain port.
 *
 * <p>A call blocks its thread until there is a result, at most for {@link FaultTolerance#deadline()}; then a {@code
 * WebServiceException} with an {@link InvocationFailedException} as its cause reports what is known. After SessionExpired
 * nothing is resent silently: the call fails, and the next one opens a new session.
 *
 * <p>The port's conduit is an {@code HTTPConduit} of CXF, and obeys what is set there, in the request context or by Spring's
 * {@code http-conf:conduit}: timeouts, proxy, TLS, credentials, header fields, cookies. A receive timeout is how long the caller waits for
 * an answer, over all attempts; beyond {@link FaultTolerance#deadline()} only an attempt that began before it goes on. Redirects and
 * challenges are not followed, and one line in the log names such settings; a {@code MessageTrustDecider} or a decoupled endpoint fails
 * the call.
 *
 * <p>The principal of a call comes from its HTTP Authorization, from {@code BindingProvider.USERNAME_PROPERTY}, the conduit or a
 * header; each has its own session. Features that compress or encrypt the envelope as a whole cannot be combined with this one.
 */
public final class FaultTolerant {
  /**
   * Request context property: the {@link org.understudy.replication.api.ReadLevel} of a call, in place of
   * {@link FaultTolerance.Builder#readLevel}.
   */
  public static final String READ_LEVEL = "org.understudy.client.readLevel";

  /** Request context property: the {@link Transaction} that a call belongs to; {@link Transaction#include} sets it. */
  public static final String TRANSACTION = "org.understudy.client.transaction";

  private FaultTolerant() {}

  /**
   * A port with the defaults. Does not connect. The caller closes it with {@link #close(Object)}.
   *
   * @param type the service endpoint interface
   * @param wsdl a WSDL that has a SOAP port of that type; null to derive everything from annotations
   * @param replicas the service's URL at each replica; see {@link FaultTolerance.Builder#replicas}
   * @throws IllegalArgumentException when the WSDL has no such port, or an address is invalid
   */
  public static <T> T client(Class<T> type, URL wsdl, List<URI> replicas) {
    return client(type, wsdl, FaultTolerance.ofDefaults(replicas));
  }

  /**
   * A port. Does not connect. The caller closes it with {@link #close(Object)}.
   *
   * @param type the service endpoint interface
   * @param wsdl a WSDL that has a SOAP port of that type; null to derive everything from annotations
   * @throws IllegalArgumentException when the WSDL has no such port
   */
  public static <T> T client(Class<T> type, URL wsdl, FaultTolerance config) {
    return new PortBlueprints().port(type, wsdl, ResourcePath.withoutQuery(config.replicas().get(0).toString()), feature(config));
  }

  /**
   * A port of one WS-Resource, with every default. Where many resources are used, {@link #group} makes their ports share
   * session, watcher and connections.
   *
   * @param reference as the service gave it
   * @param replicas the service's URL at each replica; with none, the reference's own address without its last segment
   *     is the one replica known beforehand
   * @throws IllegalArgumentException when the WSDL has no such port, or the reference's address is neither below any
   *     replica's nor beside it
   */
  public static <T> T client(Class<T> type, URL wsdl, EndpointReference reference, URI... replicas) {
    List<URI> known = replicas.length == 0 ? List.of(ResourcePath.serviceOf(reference)) : List.of(replicas);
    FaultTolerance config = FaultTolerance.ofDefaults(known);
    ResourcePath resource = ResourcePath.of(reference, config.replicas());
    return new PortBlueprints().port(type, wsdl, resource.at(config.replicas().get(0)).toString(),
        new FaultTolerantFeature(new SharedGroup(config), resource));
  }

  /**
   * A CXF feature, which is a JAX-WS {@code WebServiceFeature} too, for {@code service.getPort(type, feature)} and
   * {@code service.createDispatch(…, feature)}. The clients made with one feature are a group, which is closed with the
   * last of them. A client whose endpoint address is below a replica's keeps what follows it.
   */
  public static AbstractFeature feature(FaultTolerance config) {
    return new FaultTolerantFeature(new SharedGroup(config), null);
  }

  /** A group of ports that share session, watcher and connections. The caller closes it. */
  public static FaultTolerantGroup group(FaultTolerance config) {
    return new FaultTolerantGroup(config);
  }

  /**
   * Closes a port or Dispatch. Its open calls, where it was the last of its group, end with
   * {@link InvocationFailedException}; so does the session, for which this waits at most half a second.
   *
   * @throws IllegalArgumentException when it is not a client of CXF
   */
  public static void close(Object port) {
    if (!(port instanceof Closeable closeable)) {
      throw new IllegalArgumentException("The object is not a port or Dispatch of CXF: " + port.getClass().getName());
    }
    try {
      closeable.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
