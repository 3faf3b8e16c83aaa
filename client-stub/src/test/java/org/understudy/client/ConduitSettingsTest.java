package org.understudy.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.handler.MessageContext;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.bus.spring.SpringBusFactory;
import org.apache.cxf.configuration.jsse.TLSClientParameters;
import org.apache.cxf.configuration.security.AuthorizationPolicy;
import org.apache.cxf.configuration.security.CertificateConstraintsType;
import org.apache.cxf.configuration.security.DNConstraintsType;
import org.apache.cxf.configuration.security.ProxyAuthorizationPolicy;
import org.apache.cxf.frontend.ClientProxy;
import org.apache.cxf.message.Message;
import org.apache.cxf.transport.http.HTTPConduit;
import org.apache.cxf.transport.http.HTTPConduitConfigurer;
import org.apache.cxf.transport.http.MessageTrustDecider;
import org.apache.cxf.transport.http.URLConnectionInfo;
import org.apache.cxf.transports.http.configuration.ConnectionType;
import org.apache.cxf.transports.http.configuration.HTTPClientPolicy;
import org.apache.cxf.transports.http.configuration.ProxyServerType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.counter.CounterPortType;
import org.understudy.counter.UnknownCounter;
import org.understudy.replication.api.Certainty;
import org.understudy.test.LogRecorder;
import org.understudy.test.network.SelfSigned;

/** What applications set at the conduit of a port, as they do with CXF alone. */
@Timeout(60)
class ConduitSettingsTest {
  private static final URL WSDL = CounterPortType.class.getResource("/wsdl/counter.wsdl");
  /** Of ann and secret. */
  private static final String ANN = "Basic YW5uOnNlY3JldA==";

  @TempDir Path directory;
  private final List<Object> ports = new ArrayList<>();
  private FakeGroup group = new FakeGroup(2);

  @AfterEach
  void end() {
    ports.forEach(FaultTolerant::close);
    group.close();
    BusFactory.setThreadDefaultBus(null);
  }

  private CounterPortType port() {
    return port(group.config().build());
  }

  private CounterPortType port(FaultTolerance config) {
    CounterPortType port = FaultTolerant.client(CounterPortType.class, WSDL, config);
    ports.add(port);
    return port;
  }

  private static HTTPConduit conduit(Object port) {
    return (HTTPConduit) ClientProxy.getClient(port).getConduit();
  }

  private static Map<String, Object> context(Object port) {
    return ((BindingProvider) port).getRequestContext();
  }

  private Received call() {
    List<Received> calls = group.replica(1).calls;
    return calls.get(calls.size() - 1);
  }

  /** A second client and group load the classes: on a busy machine that takes longer than the timeouts of a test. */
  private CounterPortType warm() throws Exception {
    CounterPortType port = port();
    port.add(1);
    return port;
  }

  private InvocationFailedException failure(CounterPortType port) {
    WebServiceException thrown = assertThrows(WebServiceException.class, () -> port.add(1));
    return InvocationFailedException.in(thrown).orElseThrow(() -> new AssertionError(thrown));
  }

  @Test
  void theCallerWaitsNoLongerThanTheReceiveTimeout() throws Exception {
    CounterPortType port = warm();
    group.replica(1).script = call -> new Reaction.Hang();
    conduit(port).getClient().setReceiveTimeout(300);

    InvocationFailedException failed = failure(port);

    assertEquals(Certainty.UNKNOWN, failed.certainty());
    assertEquals(SocketTimeoutException.class, failed.getCause().getClass());
    assertEquals(2, group.replica(1).calls.size(), "the call is sent once within the time");
  }

  @Test
  void aReceiveTimeoutOfOneCallIsAPropertyOfItsContext() throws Exception {
    CounterPortType port = warm();
    group.replica(1).script = call -> new Reaction.Hang();
    context(port).put(Message.RECEIVE_TIMEOUT, "300");
    assertEquals(Certainty.UNKNOWN, failure(port).certainty());

    group.replica(1).script = call -> group.serve(group.replica(1), call);
    context(port).remove(Message.RECEIVE_TIMEOUT);
    assertEquals(2, port.add(1));
  }

  @Test
  void anAttemptWaitsAsLongAsTheCallerWantsTo() {
    Duration deadline = Duration.ofSeconds(60);
    Duration usual = Duration.ofSeconds(30);
    CallTimeouts brief = CallTimeouts.of(null, 5_000L, deadline);
    assertEquals(5_000_000_000L, brief.deadline(0, deadline.toNanos()));
    assertEquals(Duration.ofSeconds(4), brief.patience(Duration.ofSeconds(4), usual));
    CallTimeouts slow = CallTimeouts.of(0L, 600_000L, deadline);
    assertEquals(deadline, slow.connect());
    assertEquals(deadline.toNanos(), slow.deadline(0, deadline.toNanos()), "no attempt begins later");
    assertEquals(Duration.ofMinutes(10), slow.patience(deadline, usual));
    assertEquals(Duration.ofHours(24), CallTimeouts.of(null, 0L, deadline).patience(deadline, usual));
    assertEquals(usual, CallTimeouts.of(null, null, deadline).patience(deadline, usual));
  }

  @Test
  void aFailoverEndsTheWaitForAReplicaThatHasFailed() throws Exception {
    CounterPortType port = warm();
    conduit(port).getClient().setReceiveTimeout(0);
    group.replica(1).script = call -> {
      group.install(2, 2);
      return new Reaction.Hang();
    };
    assertEquals(2, port.add(1));
    assertEquals(2, group.executions());
  }

  @Test
  void credentialsOfTheConduitAreThePrincipal() throws Exception {
    CounterPortType port = port();
    AuthorizationPolicy policy = new AuthorizationPolicy();
    policy.setUserName("ann");
    policy.setPassword("secret");
    conduit(port).setAuthorization(policy);
    port.add(1);

    assertEquals(ANN, call().authorization());
    assertEquals(ANN, group.replica(1).sessionCalls.get(0).authorization());
    policy.setUserName(null);
    policy.setAuthorizationType("Bearer");
    policy.setAuthorization("abc");
    conduit(port).setAuthSupplier(null);
    port.add(1);
    assertEquals("Bearer abc", call().authorization());
    assertEquals(2, group.openSessions());
  }

  @Test
  void fieldsOfThePolicyAreSent() throws Exception {
    CounterPortType port = port();
    HTTPClientPolicy policy = new HTTPClientPolicy();
    policy.setAccept("text/xml");
    policy.setAcceptLanguage("de");
    policy.setBrowserType("probe/1");
    policy.setCacheControl("no-store");
    policy.setConnection(ConnectionType.CLOSE);
    policy.setCookie("a=b");
    policy.setHost("virtual.example");
    policy.setReferer("http://r/");
    conduit(port).setClient(policy);
    port.add(1);

    Map<String, String> wanted = Map.of(
        "Accept", "text/xml", "Accept-Language", "de", "User-Agent", "probe/1", "Cache-Control", "no-store", "Connection", "close",
        "Cookie", "a=b", "Host", "virtual.example", "Referer", "http://r/");
    wanted.forEach((name, value) -> assertEquals(List.of(value), call().headers().get(name)));
    for (String name : List.of("User-Agent", "Connection", "Cookie", "Host")) {
      assertEquals(List.of(wanted.get(name)), group.replica(1).sessionCalls.get(0).headers().get(name));
    }
  }

  @Test
  void aCallMayHaveAPolicyOfItsOwn() throws Exception {
    CounterPortType port = port();
    HTTPClientPolicy policy = new HTTPClientPolicy();
    policy.setBrowserType("probe/2");
    context(port).put(HTTPClientPolicy.class.getName(), policy);
    context(port).put(MessageContext.HTTP_REQUEST_HEADERS, Map.of("X-Trace", List.of("t")));
    port.add(1);
    assertEquals("probe/2", call().headers().getFirst("User-Agent"));
    assertEquals("t", call().trace());
  }

  @Test
  void cookiesOfASessionAreReturned() throws Exception {
    CounterPortType port = port();
    context(port).put(BindingProvider.SESSION_MAINTAIN_PROPERTY, true);
    FakeReplica replica = group.replica(1);
    replica.script = call -> ((Reaction.Say) group.serve(replica, call)).with("Set-Cookie", "id=7; Path=/");
    port.add(1);
    assertNull(call().headers().getFirst("Cookie"));
    port.add(1);
    assertTrue(call().headers().getFirst("Cookie").contains("id=7"), call().headers().getFirst("Cookie"));
    assertEquals("id", conduit(port).getCookies().get("id").getName());
  }

  @Test
  void aQueryOfTheAddressIsSentToEachReplica() throws Exception {
    group.unwatched();
    CounterPortType port = port();
    context(port).put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, group.replica(1).address + "?tenant=blue");
    port.add(1);
    assertEquals("tenant=blue", call().query());
    group.install(2, 2);
    port.add(1);
    assertEquals("tenant=blue", group.replica(2).calls.get(0).query());
    context(port).put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, group.replica(1).address + "/r%207?a=b&c=%20");
    port.add(1);
    assertEquals("/counter/services/CounterService/r 7", group.replica(2).calls.get(1).path());
    assertEquals("a=b&c=%20", group.replica(2).calls.get(1).query());
  }

  @Test
  void configuredQueriesAreSentToTheirReplicasAlsoWhenAViewNamesThem() throws Exception {
    List<URI> addresses = List.of(URI.create(group.replica(1).address + "?node=1"), URI.create(group.replica(2).address + "/?node=2"));
    CounterPortType port = port(FaultTolerance.ofDefaults(addresses));
    port.add(1);
    assertEquals("node=1", call().query());
    assertEquals("node=1", group.replica(1).sessionCalls.get(0).query());
    group.replica(1).script = call -> {
      group.install(2, 2);
      return new Reaction.Hang();
    };
    port.add(1);
    assertEquals("node=2", group.replica(2).calls.get(0).query());
    assertEquals(group.replica(2).address.getPath(), group.replica(2).calls.get(0).path());
  }

  private static void through(FakeProxy proxy, HTTPConduit conduit) {
    conduit.getClient().setProxyServer("127.0.0.1");
    conduit.getClient().setProxyServerPort(proxy.port());
    ProxyAuthorizationPolicy credentials = new ProxyAuthorizationPolicy();
    credentials.setUserName("ann");
    credentials.setPassword("secret");
    conduit.setProxyAuthorization(credentials);
  }

  @Test
  void requestsGoThroughTheProxyWithItsCredentials() throws Exception {
    try (FakeProxy proxy = new FakeProxy(ANN)) {
      CounterPortType port = port();
      through(proxy, conduit(port));
      assertEquals(1, port.add(1));

      assertTrue(proxy.heads.get(0).startsWith("POST " + group.replica(1).address + " HTTP/1.1"), proxy.heads.get(0));
      Predicate<String> isOfSession = head -> head.contains("urn:understudy:replication:1/");
      assertTrue(proxy.heads.stream().anyMatch(isOfSession), "session operations too");
    }
  }

  @Test
  void aHostOutsideOfTheProxyIsConnectedDirectly() throws Exception {
    try (FakeProxy proxy = new FakeProxy(ANN)) {
      CounterPortType port = port();
      through(proxy, conduit(port));
      conduit(port).getClient().setNonProxyHosts("127.0.*");
      assertEquals(1, port.add(1));
      assertEquals(List.of(), proxy.heads);
      assertNull(call().headers().getFirst("Proxy-Authorization"), "no other server sees the credentials");
    }
  }

  @Test
  void aProxyThatRejectsTheCredentialsExecutesNothing() throws Exception {
    try (FakeProxy proxy = new FakeProxy("Basic other")) {
      CounterPortType port = port();
      through(proxy, conduit(port));
      InvocationFailedException failed = failure(port);
      assertTrue(failed.getMessage().contains("HTTP 407"), failed.getMessage());
      assertEquals(Certainty.NOT_EXECUTED, failed.certainty());
    }
  }

  @Test
  void socketsConnectThroughAProxyOfSocks() throws Exception {
    try (FakeProxy proxy = new FakeProxy(null)) {
      CounterPortType port = port();
      HTTPClientPolicy policy = conduit(port).getClient();
      policy.setProxyServer("127.0.0.1");
      policy.setProxyServerPort(proxy.port());
      policy.setProxyServerType(ProxyServerType.SOCKS);
      assertEquals(1, port.add(1));
      assertTrue(proxy.heads.contains("SOCKS " + group.replica(1).address.getPort()), proxy.heads.toString());
    }
  }

  private FakeGroup https(SelfSigned keys, boolean asksForCertificates) throws Exception {
    group.close();
    SSLContext context = SSLContext.getInstance("TLS");
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(store(keys), SelfSigned.PASSWORD);
    context.init(own.getKeyManagers(), trust(keys).getTrustManagers(), null);
    group = new FakeGroup(2, new HttpsConfigurator(context) {
      @Override
      public void configure(HttpsParameters parameters) {
        SSLParameters tls = context.getDefaultSSLParameters();
        tls.setNeedClientAuth(asksForCertificates);
        parameters.setSSLParameters(tls);
      }
    });
    return group;
  }

  private static KeyStore store(SelfSigned keys) throws Exception {
    return KeyStore.getInstance(keys.store().toFile(), SelfSigned.PASSWORD);
  }

  private static TrustManagerFactory trust(SelfSigned keys) throws Exception {
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store(keys));
    return trust;
  }

  private static TLSClientParameters trusting(SelfSigned keys) throws Exception {
    TLSClientParameters tls = new TLSClientParameters();
    tls.setTrustManagers(trust(keys).getTrustManagers());
    return tls;
  }

  @Test
  void theConduitsKeysAndTrustAreUsed() throws Exception {
    SelfSigned keys = SelfSigned.of(directory, "ip:127.0.0.1");
    https(keys, true);
    TLSClientParameters tls = trusting(keys);
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(store(keys), SelfSigned.PASSWORD);
    tls.setKeyManagers(own.getKeyManagers());
    CounterPortType port = port();
    conduit(port).setTlsClientParameters(tls);
    assertEquals(1, port.add(1));

    try (FakeProxy proxy = new FakeProxy(ANN)) {
      through(proxy, conduit(port));
      assertEquals(2, port.add(1));
      assertTrue(proxy.heads.stream().allMatch(head -> head.startsWith("CONNECT 127.0.0.1:")), proxy.heads.toString());
    }
  }

  @Test
  void hostNamesAreCheckedUnlessTheConduitDisablesThat() throws Exception {
    SelfSigned keys = SelfSigned.of(directory, "dns:other.example");
    https(keys, false);
    CounterPortType port = port(group.config().deadline(Duration.ofSeconds(2)).build());
    TLSClientParameters tls = trusting(keys);
    conduit(port).setTlsClientParameters(tls);
    assertEquals(Certainty.NOT_EXECUTED, failure(port).certainty());

    TLSClientParameters lenient = trusting(keys);
    lenient.setTrustManagers(tls.getTrustManagers());
    lenient.setHostnameVerifier((host, session) -> host.equals("127.0.0.1"));
    conduit(port).setTlsClientParameters(lenient);
    assertEquals(1, port.add(1));
    TLSClientParameters unchecked = trusting(keys);
    unchecked.setDisableCNCheck(true);
    unchecked.setSSLSocketFactory(context(keys).getSocketFactory());
    conduit(port).setTlsClientParameters(unchecked);
    assertEquals(2, port.add(1));
  }

  private static SSLContext context(SelfSigned keys) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust(keys).getTrustManagers(), null);
    return context;
  }

  @Test
  void certificatesThatTheConduitExcludesAreRejected() throws Exception {
    SelfSigned keys = SelfSigned.of(directory, "ip:127.0.0.1");
    https(keys, false);
    CounterPortType port = port(group.config().deadline(Duration.ofSeconds(2)).build());
    TLSClientParameters tls = trusting(keys);
    CertificateConstraintsType constraints = new CertificateConstraintsType();
    DNConstraintsType subject = new DNConstraintsType();
    subject.getRegularExpression().add(".*CN=production.*");
    constraints.setSubjectDNConstraints(subject);
    tls.setCertConstraints(constraints);
    conduit(port).setTlsClientParameters(tls);

    InvocationFailedException failed = failure(port);
    assertEquals(Certainty.NOT_EXECUTED, failed.certainty());
    assertTrue(failed.getMessage().contains("certificate constraints"), failed.getMessage());
  }

  @Test
  void portsOfAGroupKeepTheirOwnSettingsWhenTheyCallAtTheSameTime() throws Exception {
    try (FaultTolerantGroup shared = FaultTolerant.group(group.config().build())) {
      List<CompletableFuture<Void>> done = new ArrayList<>();
      for (String user : List.of("ann", "bob", "cid", "dan")) {
        CounterPortType port = shared.client(CounterPortType.class, WSDL);
        ports.add(port);
        AuthorizationPolicy policy = new AuthorizationPolicy();
        policy.setUserName(user);
        policy.setPassword("secret");
        conduit(port).setAuthorization(policy);
        conduit(port).getClient().setBrowserType(user);
        done.add(CompletableFuture.runAsync(() -> {
          for (int i = 0; i < 50; i++) {
            add(port);
          }
        }));
      }
      done.forEach(CompletableFuture::join);
    }
    assertEquals(200, group.executions());
    assertEquals(4, group.replica(1).calls.stream().map(call -> call.text("Session")).distinct().count());
    assertEquals(
        4, group.replica(1).calls.stream().map(call -> call.authorization() + call.headers().getFirst("User-Agent")).distinct().count());
  }

  private static void add(CounterPortType port) {
    try {
      port.add(1);
    } catch (UnknownCounter e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aConfigurerOfTheBusConfiguresTheConduitByItsName() throws Exception {
    Bus bus = BusFactory.newInstance().createBus();
    List<String> names = new ArrayList<>();
    bus.setExtension((name, address, conduit) -> {
      names.add(name + " " + address);
      HTTPClientPolicy policy = new HTTPClientPolicy();
      policy.setBrowserType("configured");
      conduit.setClient(policy);
    }, HTTPConduitConfigurer.class);
    BusFactory.setThreadDefaultBus(bus);
    CounterPortType port = port();
    port.add(1);
    assertEquals("configured", call().headers().getFirst("User-Agent"));
    assertEquals(List.of("{http://counter.com}CounterPort.http-conduit " + group.replica(1).address), names);
    bus.shutdown(true);
  }

  @Test
  void springConfiguresTheConduitByItsName() throws Exception {
    Bus bus = new SpringBusFactory().createBus(ConduitSettingsTest.class.getResource("/http-conf.xml"));
    BusFactory.setThreadDefaultBus(bus);
    CounterPortType port = port();
    port.add(1);
    assertEquals("spring", call().headers().getFirst("User-Agent"));
    assertEquals(ANN, call().authorization());
    assertEquals(7_000, conduit(port).getClient().getReceiveTimeout());
    bus.shutdown(true);
  }

  @Test
  void redirectsAndChallengesAreNotFollowedAndOneLineNamesTheSettings() throws Exception {
    CounterPortType port = warm();
    conduit(port).getClient().setAutoRedirect(true);
    conduit(port).getClient().setMaxRetransmits(3);
    AuthorizationPolicy digest = new AuthorizationPolicy();
    digest.setUserName("ann");
    digest.setPassword("secret");
    digest.setAuthorizationType("Digest");
    conduit(port).setAuthorization(digest);
    conduit(port).setAuthSupplier(null);
    try (LogRecorder log = LogRecorder.of(UnsupportedSettings.class)) {
      FakeReplica replica = group.replica(1);
      replica.script = call -> new Reaction.Say(307, "text/html", "").with("Location", group.replica(2).address.toString());
      assertEquals(Certainty.NOT_EXECUTED, failure(port).certainty());
      replica.script = call -> new Reaction.Say(401, "text/html", "").with("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\"");
      assertEquals(Certainty.NOT_EXECUTED, failure(port).certainty());

      assertEquals(3, replica.calls.size());
      assertEquals(0, group.replica(2).calls.size());
      List<String> lines = log.lines();
      assertEquals(1, lines.size(), lines.toString());
      for (String name : List.of("AutoRedirect", "MaxRetransmits", "Digest")) {
        assertTrue(lines.get(0).contains(name), lines.get(0));
      }
    }
  }

  @Test
  void whatWouldMakeACallInsecureOrUnansweredIsNotSent() throws Exception {
    CounterPortType port = warm();
    conduit(port).getClient().setDecoupledEndpoint("http://127.0.0.1:1/answers");
    assertTrue(failure(port).getMessage().contains("DecoupledEndpoint"));
    CounterPortType other = port();
    conduit(other).setTrustDecider(new MessageTrustDecider() {
      @Override
      public void establishTrust(String name, URLConnectionInfo connection, Message message) {
        throw new AssertionError(name);
      }
    });
    InvocationFailedException failed = failure(other);
    assertTrue(failed.getMessage().contains("MessageTrustDecider"), failed.getMessage());
    assertEquals(Certainty.NOT_EXECUTED, failed.certainty());
    assertEquals(1, group.replica(1).calls.size());
  }
}
