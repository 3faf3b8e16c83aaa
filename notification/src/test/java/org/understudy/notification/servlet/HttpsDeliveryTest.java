package org.understudy.notification.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.notification.connection.TrustAnchors;
import org.understudy.notification.delivery.DeliverySettings;
import org.understudy.notification.subscription.EndReason;
import org.understudy.test.LogRecorder;
import org.understudy.test.network.SelfSigned;

/** Consumers that are reached by https. */
@Timeout(120)
class HttpsDeliveryTest {
  @TempDir private static Path keys;
  private static SelfSigned right;
  private static SelfSigned elsewhere;

  @TempDir private Path directory;
  private final LogRecorder log = LogRecorder.of(Level.WARNING, "org.understudy.notification.delivery");

  @BeforeAll
  static void makeKeys() throws Exception {
    right = SelfSigned.of(keys, "ip:127.0.0.1");
    elsewhere = SelfSigned.of(keys, "dns:elsewhere.example");
  }

  @AfterEach
  void stop() {
    log.close();
  }

  private Door door(DeliverySettings settings) throws Exception {
    return new Door(directory, choices -> choices.delivery(settings));
  }

  private static DeliverySettings trusting(SelfSigned key) throws IOException, GeneralSecurityException {
    return Door.quick().withTrust(TrustAnchors.of(key.store(), SelfSigned.PASSWORD));
  }

  private static void publish(Door door, String... texts) {
    for (String text : texts) {
      door.producer.publish(door.price, ("<n>" + text + "</n>").getBytes(UTF_8));
    }
  }

  private void assertGivenUp(Door door, String why) throws InterruptedException {
    assertEquals(EndReason.UNDELIVERABLE, door.nextEnd());
    assertTrue(log.has(" ends: attempt 3 to notify it failed") && log.has(why), () -> log.lines().toString());
  }

  @Test
  void trustedConsumerReceivesMessagesOverOneConnection() throws Exception {
    try (FakeSink sink = FakeSink.secure(right.context()); Door door = door(trusting(right))) {
      door.subscribed(sink, "");
      publish(door, "one", "two", "three");
      for (String text : List.of("one", "two", "three")) {
        assertTrue(sink.next().contains("<n>" + text + "</n>"));
      }
      assertEquals(1, sink.connections());
    }
  }

  @Test
  void untrustedConsumerLosesItsSubscriptionAndTheReasonIsLogged() throws Exception {
    try (FakeSink sink = FakeSink.secure(right.context()); Door door = door(Door.quick())) {
      door.subscribed(sink, "");
      publish(door, "secret");
      assertGivenUp(door, "unable to find valid certification path");
      assertTrue(sink.isEmpty());
    }
  }

  @Test
  void consumerWithAnotherHostsCertificateLosesItsSubscription() throws Exception {
    try (FakeSink sink = FakeSink.secure(elsewhere.context()); Door door = door(trusting(elsewhere))) {
      door.subscribed(sink, "");
      publish(door, "secret");
      assertGivenUp(door, "No subject alternative names matching IP address 127.0.0.1 found");
      assertTrue(sink.isEmpty());
    }
  }

  /** A server that says something to whoever connects, or nothing, and keeps the connection. */
  private static final class Greeter implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1"));
    private final List<Socket> accepted = new ArrayList<>();
    private final Thread thread;

    Greeter(String greeting) throws IOException {
      thread = new Thread(() -> {
        try {
          while (true) {
            Socket socket = server.accept();
            accepted.add(socket);
            socket.getOutputStream().write(greeting.getBytes(UTF_8));
          }
        } catch (IOException e) {
          // Closed: the test is over.
        }
      });
      thread.start();
    }

    String address() {
      return "https://127.0.0.1:" + server.getLocalPort() + "/sink";
    }

    @Override
    public void close() throws IOException {
      connections();
    }

    /** Stops listening, closes what it accepted, and returns how many connections that were. */
    int connections() throws IOException {
      server.close();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted while the greeter ends.");
      }
      for (Socket socket : accepted) {
        socket.close();
      }
      return accepted.size();
    }
  }

  @Test
  void consumerWithoutTlsLosesItsSubscription() throws Exception {
    try (Greeter plain = new Greeter("HTTP/1.1 400 Bad Request\r\n\r\n"); Door door = door(Door.quick())) {
      assertEquals(200, door.subscribe(Door.consumer(plain.address())).statusCode());
      publish(door, "secret");
      assertGivenUp(door, "SSLException");
    }
  }

  @Test
  void consumerThatStallsTheHandshakeIsRetriedAndDoesNotDelayOthers() throws Exception {
    try (Greeter silent = new Greeter("");
        FakeSink other = FakeSink.start();
        Door door = door(Door.quick().withTimeouts(Duration.ofSeconds(30), Duration.ofMillis(300)))) {
      assertEquals(200, door.subscribe(Door.consumer(silent.address())).statusCode());
      door.subscribed(other, "");
      publish(door, "news");
      assertTrue(other.next().contains("news"));
      assertGivenUp(door, "no answer within 300 ms");
      assertEquals(3, silent.connections());
    }
  }

  @Test
  void unusableKeyStoreIsRefused() throws Exception {
    Path text = Files.writeString(directory.resolve("store"), "no key store");
    assertThrows(GeneralSecurityException.class, () -> TrustAnchors.of(text, null));
    assertThrows(IOException.class, () -> TrustAnchors.of(directory.resolve("none"), null));
    assertThrows(IOException.class, () -> TrustAnchors.of(right.store(), "wrong".toCharArray()));
    assertThrows(GeneralSecurityException.class, () -> TrustAnchors.of(right.store(), null));
  }
}
