package org.understudy.container.forwarding.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.PasswordAuthentication;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import org.apache.catalina.Valve;
import org.apache.catalina.authenticator.BasicAuthenticator;
import org.apache.catalina.authenticator.DigestAuthenticator;
import org.apache.catalina.authenticator.SSLAuthenticator;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.Soap;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.container.caller.Caller;
import org.understudy.container.caller.CallerProof;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.forwarding.sealed.AuthenticatedUser;
import org.understudy.container.forwarding.sealed.ClientRequest;
import org.understudy.container.forwarding.sealed.SealedRequest;
import org.understudy.replication.api.ReplicaId;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.network.SelfSigned;

/** A service sees the request of its client, whichever replica the client calls, and the client is authenticated where it calls. */
class ForwardedClientHttpTest {
  private static final String BODY = "<w:see xmlns:w=\"urn:witness\"/>";

  @TempDir private Path directory;

  private TestCluster open(String method, Supplier<Valve[]> valves) throws Exception {
    OwnServlet witness = new OwnServlet(bus -> new EndpointImpl(bus, new Witness()).publish("/witness"));
    return new TestCluster(directory, new Secured(witness, method, valves), 3, Map.of());
  }

  /** Calls with a client that answers the challenges of the server. */
  private static String call(TestCluster site, int replica, String query, byte[] body, String type, String... headers)
      throws IOException {
    HttpURLConnection connection = (HttpURLConnection) site.uri(replica, "/soap/witness" + query).toURL().openConnection();
    connection.setAuthenticator(new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        return new PasswordAuthentication("ann", "secret".toCharArray());
      }
    });
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", type);
    for (int i = 0; i < headers.length; i += 2) {
      connection.addRequestProperty(headers[i], headers[i + 1]);
    }
    try (OutputStream out = connection.getOutputStream()) {
      out.write(body);
    }
    int status = connection.getResponseCode();
    try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      String answer = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(200, status, answer);
      String seen = answer.substring(answer.indexOf("<return>") + 8, answer.indexOf("</return>"));
      return seen.replace(":" + site.port(replica) + "/", ":PORT/");
    }
  }

  private static List<String> callAll(TestCluster site, String query, byte[] body, String type, String... headers) throws IOException {
    List<String> seen = new ArrayList<>();
    for (int replica = 1; replica <= 3; replica++) {
      seen.add(call(site, replica, query, body, type, headers));
    }
    return seen;
  }

  private static void assertSame(List<String> seen) {
    assertEquals(seen.get(0), seen.get(1));
    assertEquals(seen.get(0), seen.get(2));
  }

  @Test
  void theServiceSeesWhatTheClientHasSent() throws Exception {
    try (TestCluster site = open("BASIC", () -> new Valve[] {new BasicAuthenticator()})) {
      byte[] body = Soap.envelope("", BODY).getBytes(StandardCharsets.UTF_8);
      List<String> seen =
          callAll(
              site, "?tenant=blue&x=%C3%A9", body, "text/xml;charset=UTF-8;odd=\"a b\"", "SOAPAction", "\"urn:try:see\"", "X-Api-Key", "k",
              "X-Api-Key", "l", "Accept-Language", "tr, de;q=0.5", "Cookie", "JSESSIONID=0123; a=1", "X-Forwarded-For", "192.0.2.1",
              "ssl_client_cert", "none");
      assertSame(seen);
      String first = seen.get(0);
      String query = "tenant=blue&amp;x=%C3%A9";
      assertTrue(first.contains("query " + query + " " + query + "\ntenant blue\naddress 127.0.0.1 127.0.0.1"), first);
      assertTrue(first.contains("url http://127.0.0.1:PORT/app/soap/witness http false\nuser BASIC ann ann true false\nlocales [tr, de]"),
          first);
      assertTrue(first.contains("cookie 0123 0123"), first);
      assertTrue(first.contains("content-type=[text/xml;charset=UTF-8;odd=\"a b\"]"), first);
      assertTrue(first.contains("soapaction=[\"urn:try:see\"]"), first);
      assertTrue(first.contains("ssl_client_cert=[none]"), first);
      assertTrue(first.contains("x-api-key=[k, l]") && first.contains("x-forwarded-for=[192.0.2.1]"), first);
      byte[] wide = ("<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + Soap.envelope("", BODY)).getBytes(StandardCharsets.UTF_16);
      List<String> ofWide = callAll(site, "", wide, "text/xml; charset=UTF16");
      assertSame(ofWide);
      assertTrue(ofWide.get(0).contains("content-type=[text/xml; charset=UTF16]"), ofWide.get(0));
    }
  }

  @Test
  void aClientAnswersTheChallengeOfTheReplicaThatItCalls() throws Exception {
    try (TestCluster site = open("DIGEST", () -> new Valve[] {new DigestAuthenticator()})) {
      List<String> seen = callAll(site, "", Soap.envelope("", BODY).getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
      assertSame(seen);
      assertTrue(seen.get(0).contains("user DIGEST ann ann true false"), seen.get(0));
    }
  }

  /** Ahead of the authenticator: the client has a certificate at the replica whose port it names. */
  private static final class Certificates extends ValveBase {
    private final X509Certificate certificate;

    Certificates(X509Certificate certificate) {
      super(true);
      this.certificate = certificate;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
      if (Integer.toString(request.getLocalPort()).equals(request.getHeader("X-Certified-At"))) {
        request.getRequest().setAttribute("jakarta.servlet.request.X509Certificate", new X509Certificate[] {certificate});
      }
      getNext().invoke(request, response);
    }
  }

  @Test
  void aCertificateCountsAtTheReplicaThatHasSeenIt() throws Exception {
    SelfSigned made = SelfSigned.of(directory.resolve("keys"), "dns:localhost");
    KeyStore keys = KeyStore.getInstance(made.store().toFile(), SelfSigned.PASSWORD);
    X509Certificate certificate = (X509Certificate) keys.getCertificate("server");
    try (TestCluster site = open("CLIENT-CERT", () -> new Valve[] {new Certificates(certificate), new SSLAuthenticator()})) {
      List<String> seen = new ArrayList<>();
      for (int replica = 1; replica <= 3; replica++) {
        String port = Integer.toString(site.port(replica));
        String all =
            call(site, replica, "", Soap.envelope("", BODY).getBytes(StandardCharsets.UTF_8), "text/xml", "X-Certified-At", port);
        seen.add(all.replace(port, "PORT"));
      }
      assertSame(seen);
      assertTrue(seen.get(0).contains("user CLIENT_CERT CN=test CN=test true false"), seen.get(0));
      assertTrue(seen.get(0).contains("certificate CN=test"), seen.get(0));
    }
  }

  /** Sends what a replica would forward for ann, whose request has no more than a message. */
  private static HttpResponse<String> forward(TestCluster site, int to, CallerProof proof, String proved, String sent) throws Exception {
    ClientRequest client =
        new ClientRequest(
            "/soap/witness", null, "http", false, "here", 80, "192.0.2.1", new AuthenticatedUser("ann", "BASIC", List.of("clerk")),
            List.of(), List.of());
    String digest = new SealedRequest(client.write(), proved.getBytes(StandardCharsets.UTF_8)).digest();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    new SealedRequest(client.write(), sent.getBytes(StandardCharsets.UTF_8)).writeTo(body);
    HttpRequest request =
        HttpRequest.newBuilder(site.uri(to, "/soap/witness"))
            .header("Content-Type", "text/xml; charset=UTF-8")
            .header(CallerProof.HEADER, proof.prove(new ReplicaId(to), "/soap/witness", digest, new Caller("ann", "192.0.2.1")))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray()))
            .build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    proof.learn(new ReplicaId(to), answer.headers().firstValue(CallerProof.INSTANCE).orElse(null));
    return answer;
  }

  private CallerProof proof(TestCluster site, int replica, String secret) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("understudy.replica", Integer.toString(replica));
    properties.setProperty("understudy.replicas", site.setting("understudy.replicas"));
    properties.setProperty("understudy.peers", site.setting("understudy.peers"));
    properties.setProperty("understudy.secret", secret);
    properties.setProperty("understudy.directory", directory.resolve("unused").toString());
    return new CallerProof(Configuration.of(properties));
  }

  @Test
  void onlyWhatAReplicaHasProvedIsRestored() throws Exception {
    String message = Soap.envelope("", BODY);
    try (TestCluster site = open("BASIC", () -> new Valve[] {new BasicAuthenticator()})) {
      int primary = site.primary();
      int backup = site.backup();
      CallerProof proof = proof(site, backup, "a secret for the tests");
      HttpResponse<String> unknown = forward(site, primary, proof, message, message);
      assertEquals("NotReady", unknown.headers().firstValue("Understudy-Disposition").orElse(""), unknown.body());
      HttpResponse<String> served = forward(site, primary, proof, message, message);
      assertEquals(200, served.statusCode(), served.body());
      assertTrue(served.body().contains("url http://here/app/soap/witness http false\nuser BASIC ann ann true false"), served.body());
      HttpResponse<String> changed = forward(site, primary, proof, message, message + " ");
      assertEquals("BadRequest", changed.headers().firstValue("Understudy-Disposition").orElse(""), changed.body());
      HttpResponse<String> forged = forward(site, primary, proof(site, backup, "a secret of strangers"), message, message);
      assertEquals(401, forged.statusCode(), "Tomcat knows nothing of its user");
      // What was forwarded is not forwarded again.
      CallerProof ofPrimary = proof(site, primary, "a secret for the tests");
      forward(site, backup, ofPrimary, message, message);
      HttpResponse<String> pointed = forward(site, backup, ofPrimary, message, message);
      assertEquals("NotPrimary", pointed.headers().firstValue("Understudy-Disposition").orElse(""), pointed.body());
    }
  }
}
