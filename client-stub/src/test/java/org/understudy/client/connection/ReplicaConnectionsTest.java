package org.understudy.client.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas that respond too much, or not at all. */
class ReplicaConnectionsTest {
  private static final String BODY = "<content/>";
  private static final Duration LONG = Duration.ofMinutes(10);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private ServerSocket server;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    threads.shutdownNow();
  }

  private static ReplicaConnections connections(Duration connectTimeout) throws NoSuchAlgorithmException {
    return new ReplicaConnections(new ConnectionSettings(connectTimeout, LONG, 4, 10, SSLContext.getDefault()));
  }

  private CompletableFuture<IOException> failureOf(ReplicaConnections connections, String scheme) {
    URI replica = URI.create(scheme + "://127.0.0.1:" + server.getLocalPort() + "/app");
    Attempt attempt =
        new Attempt(replica, replica, "text/xml", Map.of(), Content.of(BODY.getBytes(StandardCharsets.UTF_8)));
    return CompletableFuture.supplyAsync(
        () -> assertThrows(IOException.class, () -> connections.send(attempt, LONG)), threads);
  }

  private static void readRequest(InputStream in) throws IOException {
    StringBuilder request = new StringBuilder();
    while (request.indexOf(BODY) < 0) {
      request.append((char) in.read());
    }
  }

  private static int read(InputStream in) throws IOException {
    try {
      return in.read();
    } catch (SocketException e) {
      // Reset: the other end does not read any more.
      return -1;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n",
    "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n12345678901"})
  void aResponseAboveTheLimitClosesTheConnectionAtOnce(String response) throws Exception {
    try (ReplicaConnections connections = connections(LONG)) {
      CompletableFuture<IOException> failure = failureOf(connections, "http");
      try (Socket socket = server.accept()) {
        readRequest(socket.getInputStream());
        socket.getOutputStream().write(response.getBytes(StandardCharsets.UTF_8));
        assertEquals("The response is longer than 10 bytes.", failure.join().getMessage());
        assertEquals(-1, read(socket.getInputStream()));
      }
    }
  }

  @Test
  void aTlsHandshakeWithoutAnAnswerEndsAfterTheConnectTimeout() throws Exception {
    try (ReplicaConnections connections = connections(Duration.ofMillis(100))) {
      IOException failure = failureOf(connections, "https").join();
      assertFalse(failure.getMessage().isEmpty());
      assertEquals(NotSentException.class, failure.getClass());
    }
  }
}
