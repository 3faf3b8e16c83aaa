package org.understudy.container.caller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;

/** For whom a replica forwards is believed with a proof, once, and from a replica of the group. */
class CallerProofTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final Caller ANN = new Caller("ann|é", "2001:db8::1");
  private static final String BODY = digest("<body/>".getBytes(StandardCharsets.UTF_8));
  private static final String PATH = "/services/Counter/a";

  private CallerProof sender;
  private CallerProof receiver;

  private static CallerProof of(int replica, String secret) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("understudy.replica", Integer.toString(replica));
    properties.setProperty("understudy.replicas", "1=http://a:1/c,2=http://b:1/c");
    properties.setProperty("understudy.peers", "1=127.0.0.1:2,2=127.0.0.1:3");
    properties.setProperty("understudy.secret", secret);
    properties.setProperty("understudy.directory", "/unused");
    return new CallerProof(Configuration.of(properties));
  }

  @BeforeEach
  void open() throws Exception {
    sender = of(1, "a secret for the tests");
    receiver = of(2, "a secret for the tests");
    assertTrue(sender.learn(TWO, receiver.instance()));
    assertFalse(sender.learn(TWO, receiver.instance()));
  }

  private static String digest(byte[] body) {
    MessageDigest digest = CallerProof.digest();
    digest.update(body);
    return CallerProof.text(digest);
  }

  @Test
  void proofIsValidOnce() {
    String proof = sender.prove(TWO, PATH, BODY, ANN);
    assertEquals(new CallerProof.Proved(ONE, ANN, BODY, true), receiver.verify(proof, PATH));
    assertEquals(new CallerProof.Proved(ONE, ANN, BODY, false), receiver.verify(proof, PATH));
    String next = sender.prove(TWO, PATH, BODY, new Caller("", "192.0.2.1"));
    assertEquals(new Caller("", "192.0.2.1"), receiver.verify(next, PATH).caller());
  }

  @Test
  void aProofIsForOneRequestAndOneReceiver() throws Exception {
    String proof = sender.prove(TWO, PATH, BODY, ANN);
    assertNull(receiver.verify(proof, PATH + "b"));
    assertNull(sender.verify(proof, PATH));
    assertNull(receiver.verify(null, PATH));
    assertNull(receiver.verify("1.2.3.4.5.6.7.8", PATH));
    assertNull(receiver.verify("x", PATH));
    String[] fields = proof.split("\\.");
    fields[5] = "MTkyLjAuMi4x";
    assertNull(receiver.verify(String.join(".", fields), PATH));
    fields = proof.split("\\.");
    fields[6] = digest(new byte[0]);
    assertNull(receiver.verify(String.join(".", fields), PATH));
    assertNull(receiver.verify(of(1, "another secret of strangers").prove(TWO, PATH, BODY, ANN), PATH));
  }

  @Test
  void aProofForAnEarlierStartIsNotFresh() throws Exception {
    String proof = sender.prove(TWO, PATH, BODY, ANN);
    CallerProof restarted = of(2, "a secret for the tests");
    assertFalse(restarted.verify(proof, PATH).fresh());
    assertTrue(sender.learn(TWO, restarted.instance()));
    assertTrue(restarted.verify(sender.prove(TWO, PATH, BODY, ANN), PATH).fresh());
  }

  @Test
  void aProofOfASenderThatWasRestartedSinceIsNotFresh() throws Exception {
    String old = sender.prove(TWO, PATH, BODY, ANN);
    assertTrue(receiver.verify(sender.prove(TWO, PATH, BODY, ANN), PATH).fresh());
    CallerProof restarted = of(1, "a secret for the tests");
    restarted.learn(TWO, receiver.instance());
    assertTrue(receiver.verify(restarted.prove(TWO, PATH, BODY, ANN), PATH).fresh());
    assertFalse(receiver.verify(old, PATH).fresh());
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
