package org.understudy.container.caller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;

/** For whom a replica forwards is believed with a proof, once, and from a replica of the group. */
class CallerProofTest {
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final Caller ANN = new Caller("ann|é", "2001:db8::1");
  private static final byte[] BODY = "<body/>".getBytes(StandardCharsets.UTF_8);
  private static final String PATH = "/services/Counter/a";

  private static final ServletContext CONTEXT =
      (ServletContext)
          Proxy.newProxyInstance(
              CallerProofTest.class.getClassLoader(),
              new Class<?>[] {ServletContext.class},
              (proxy, method, arguments) -> null);

  private CallerProof sender;
  private CallerProof receiver;

  private static CallerProof of(int replica, String secret) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("understudy.replica", Integer.toString(replica));
    properties.setProperty("understudy.replicas", "1=http://a:1/c,2=http://b:1/c");
    properties.setProperty("understudy.peers", "1=127.0.0.1:2,2=127.0.0.1:3");
    properties.setProperty("understudy.secret", secret);
    properties.setProperty("understudy.directory", "unused");
    return new CallerProof(Configuration.of(properties));
  }

  @BeforeEach
  void open() throws Exception {
    sender = of(1, "a secret for the tests");
    receiver = of(2, "a secret for the tests");
    assertTrue(sender.learn(TWO, receiver.instance()));
    assertFalse(sender.learn(TWO, receiver.instance()));
  }

  /** A request that has this header and nothing else. */
  private static HttpServletRequest request(String value) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            CallerProofTest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, method, arguments) ->
                method.getName().equals("getHeader") && arguments[0].equals(CallerProof.HEADER) ? value : null);
  }

  /** One that comes from a stranger's address and keeps attributes. */
  private static HttpServletRequest request(String value, Map<String, Object> attributes) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            CallerProofTest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getHeader" -> arguments[0].equals(CallerProof.HEADER) ? value : null;
                  case "getAttribute" -> attributes.get(arguments[0]);
                  case "setAttribute" -> attributes.put((String) arguments[0], arguments[1]);
                  case "getServletPath" -> PATH;
                  case "getContextPath" -> "/app";
                  case "getRemoteAddr" -> "192.0.2.9";
                  case "getServletContext" -> CONTEXT;
                  default -> null;
                });
  }

  @Test
  void proofIsValidOnce() {
    String proof = sender.prove(TWO, PATH, BODY, ANN);
    assertEquals(new CallerProof.Proved(ANN, true), receiver.verify(request(proof), PATH, BODY));
    assertEquals(new CallerProof.Proved(ANN, false), receiver.verify(request(proof), PATH, BODY));
    String next = sender.prove(TWO, PATH, BODY, new Caller("", "192.0.2.1"));
    assertEquals(new Caller("", "192.0.2.1"), receiver.verify(request(next), PATH, BODY).caller());
  }

  @Test
  void aProofIsForOneRequestAndOneReceiver() throws Exception {
    String proof = sender.prove(TWO, PATH, BODY, ANN);
    assertNull(receiver.verify(request(proof), PATH + "b", BODY));
    assertNull(receiver.verify(request(proof), PATH, new byte[0]));
    assertNull(sender.verify(request(proof), PATH, BODY));
    assertNull(receiver.verify(request(null), PATH, BODY));
    assertNull(receiver.verify(request("1.2.3.4.5.6.7.8"), PATH, BODY));
    assertNull(receiver.verify(request("x"), PATH, BODY));
    String[] fields = proof.split("\\.");
    fields[5] = "MTkyLjAuMi4x";
    assertNull(receiver.verify(request(String.join(".", fields)), PATH, BODY));
    assertNull(receiver.verify(request(of(1, "another secret of strangers").prove(TWO, PATH, BODY, ANN)), PATH, BODY));
  }

  @Test
  void aProofForAnEarlierStartIsNotFresh() throws Exception {
    String proof = sender.prove(TWO, PATH, BODY, ANN);
    CallerProof restarted = of(2, "a secret for the tests");
    assertFalse(restarted.verify(request(proof), PATH, BODY).fresh());
    assertTrue(sender.learn(TWO, restarted.instance()));
    assertTrue(restarted.verify(request(sender.prove(TWO, PATH, BODY, ANN)), PATH, BODY).fresh());
  }

  @Test
  void aProofOfASenderThatWasRestartedSinceIsNotFresh() throws Exception {
    String old = sender.prove(TWO, PATH, BODY, ANN);
    assertTrue(receiver.verify(request(sender.prove(TWO, PATH, BODY, ANN)), PATH, BODY).fresh());
    CallerProof restarted = of(1, "a secret for the tests");
    restarted.learn(TWO, receiver.instance());
    assertTrue(receiver.verify(request(restarted.prove(TWO, PATH, BODY, ANN)), PATH, BODY).fresh());
    assertFalse(receiver.verify(request(old), PATH, BODY).fresh());
  }

  @Test
  void theClientIsKnownBeforeTheBody() throws Exception {
    String proof = sender.prove(TWO, PATH, BODY, ANN);
    Map<String, Object> attributes = new HashMap<>();
    HttpServletRequest request = request(proof, attributes);
    assertEquals(ANN.owner(), receiver.owner(request));
    assertEquals(new CallerProof.Proved(ANN, true), receiver.verify(request, PATH, BODY), "it was looked at once");
    assertEquals("replica:1", receiver.owner(request(proof, new HashMap<>())), "a repetition");
    HttpServletRequest other = request(sender.prove(TWO, PATH, BODY, ANN), new HashMap<>());
    assertEquals(ANN.owner(), receiver.owner(other));
    assertNull(receiver.verify(other, PATH, new byte[] {1}), "another body than the proved one");
    CallerProof restarted = of(2, "a secret for the tests");
    assertEquals("replica:1", restarted.owner(request(sender.prove(TWO, PATH, BODY, ANN), new HashMap<>())));
    String forged = of(1, "another secret of strangers").prove(TWO, PATH, BODY, ANN);
    assertEquals("address:192.0.2.9", receiver.owner(request(forged, new HashMap<>())));
  }

  @Test
  void countersAreUniqueAndMayArriveOutOfOrder() {
    CounterWindow window = new CounterWindow();
    assertTrue(window.add(7));
    assertTrue(window.add(3));
    assertFalse(window.add(3));
    assertFalse(window.add(7));
    assertTrue(window.add(100_000));
    assertFalse(window.add(100_000));
    assertFalse(window.add(8));
    assertTrue(window.add(99_999));
    assertFalse(window.add(-1));
  }
}
