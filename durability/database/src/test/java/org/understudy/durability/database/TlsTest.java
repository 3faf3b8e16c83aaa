package org.understudy.durability.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.durability.database.DatabaseSettings.Tls;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.test.Condition;
import org.understudy.test.network.SelfSigned;

/** TLS to a MySQL or MariaDB server whose certificate names 127.0.0.1 only. */
class TlsTest {
  @TempDir private static Path directory;

  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.MYSQL.up();
  }

  private static DatabaseSettings settings(String url, Tls tls, Path trust) {
    return settings(url, tls, trust, 300);
  }

  private static DatabaseSettings settings(String url, Tls tls, Path trust, int timeoutMs) {
    return new DatabaseSettings("group", url, TestServer.ENCRYPTED, "", 2, tls, trust == null ? null : trust.toString(),
        trust == null ? null : new String(SelfSigned.PASSWORD), 100, timeoutMs);
  }

  /** Awaits a refusal with these words: on a busy machine, an attempt can end before its reason is known. */
  private static void assertRefused(DatabaseSettings settings, String... words) {
    String[] message = {null};
    try (TestReplica replica = new TestReplica(settings, "bills")) {
      Condition.await("a refusal with " + List.of(words), () -> {
        message[0] = assertThrows(DecisionStoreException.class, () -> replica.hasBill(1)).getMessage();
        return Arrays.stream(words).allMatch(message[0]::contains);
      });
    }
    assertTrue(message[0].contains(settings.place()), message[0]);
    assertFalse(message[0].contains("\n"), message[0]);
  }

  private static String cipher(Tls tls) {
    String[] cipher = {null};
    try (TestReplica replica = new TestReplica(settings(server.url(server.port()), tls, server.certificate.trust(), 10_000), "bills")) {
      replica.sql().read(queries -> cipher[0] = (String) queries.query("SHOW STATUS LIKE 'Ssl_cipher'").get(0)[1]);
    }
    return cipher[0];
  }

  @Test
  void aConnectionIsEncryptedUnlessTlsIsDisabled() {
    for (Tls tls : List.of(Tls.PREFERRED, Tls.REQUIRED, Tls.VERIFIED)) {
      assertTrue(cipher(tls).contains("AES") || cipher(tls).contains("CHACHA"), tls + ": " + cipher(tls));
    }
    assertRefused(settings(server.url(server.port()), Tls.DISABLED, null), "28000", "Access denied");
  }

  @Test
  void aCertificateThatIsNotTrustedIsRefused() throws Exception {
    Path other = ServerCertificate.write(directory).trust();
    for (Path trust : Arrays.asList(other, null)) {
      assertRefused(settings(server.url(server.port()), Tls.VERIFIED, trust), "The TLS connection failed", "understudy.trust.store");
    }
  }

  @Test
  void aCertificateOfAnotherHostIsRefused() {
    String url = server.url(server.port()).replace("127.0.0.1", "localhost");
    assertRefused(settings(url, Tls.VERIFIED, server.certificate.trust()), "localhost", "The TLS connection failed");
  }

  @Test
  void aTrustStoreThatCannotBeReadIsNamed() {
    assertRefused(settings(server.url(server.port()), Tls.VERIFIED, directory.resolve("none.p12")), "none.p12");
  }

  @Test
  void aServerWithoutTlsGetsNoPassword() throws Exception {
    CompletableFuture<byte[]> received;
    try (ServerSocket plain = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      received = CompletableFuture.supplyAsync(() -> greet(plain));
      assertRefused(settings("jdbc:mysql://127.0.0.1:" + plain.getLocalPort() + "/test", Tls.REQUIRED, null), "SSL");
    }
    assertEquals(0, received.join().length, "nothing may be sent to a server that offers no TLS");
  }

  /** Greets clients as a server of MySQL's protocol 10 without TLS does. Returns what they have sent. */
  private static byte[] greet(ServerSocket listener) {
    byte[] version = "8.0.0-plain\0".getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream greeting = new ByteArrayOutputStream();
    greeting.write(10);
    greeting.writeBytes(version);
    greeting.writeBytes(new byte[] {1, 0, 0, 0});
    greeting.writeBytes("12345678\0".getBytes(StandardCharsets.US_ASCII));
    // Capabilities: protocol 4.1, secure connection, authentication by plugin; without TLS.
    greeting.writeBytes(new byte[] {0x01, (byte) 0x82, 33, 2, 0, 0x08, 0, 21});
    greeting.writeBytes(new byte[10]);
    greeting.writeBytes("901234567890\0mysql_native_password\0".getBytes(StandardCharsets.US_ASCII));
    byte[] body = greeting.toByteArray();
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    while (true) {
      try (Socket client = listener.accept()) {
        OutputStream out = client.getOutputStream();
        out.write(new byte[] {(byte) body.length, 0, 0, 0});
        out.write(body);
        out.flush();
        received.writeBytes(client.getInputStream().readAllBytes());
      } catch (IOException e) {
        return received.toByteArray();
      }
    }
  }
}
