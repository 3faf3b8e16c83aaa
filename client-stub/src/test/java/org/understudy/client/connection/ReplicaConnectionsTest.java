package org.understudy.client.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import org.apache.cxf.configuration.jsse.TLSClientParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.client.envelope.Answer;

/** Replicas that respond too much, or not at all. */
class ReplicaConnectionsTest {
  private static final String BODY = "<content/>";
  private static final String HEAD = "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'>";
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

  private static ReplicaConnections connections(Duration connectTimeout) {
    return connections(connectTimeout, 10);
  }

  private static ReplicaConnections connections(Duration connectTimeout, int maxBytes) {
    return new ReplicaConnections(
        new ConnectionSettings(connectTimeout, 4, maxBytes, new TLSClientParameters(), ProxySettings.OF_THE_JVM));
  }

  private Attempt attempt(ReplicaConnections connections, String scheme) {
    URI replica = URI.create(scheme + "://127.0.0.1:" + server.getLocalPort() + "/app");
    return new Attempt(
        replica, replica, new Access(null, Map.of(), connections), "text/xml", Map.of(), Content.of(BODY.getBytes(StandardCharsets.UTF_8)));
  }

  private CompletableFuture<IOException> failureOf(ReplicaConnections connections, String scheme) {
    Attempt attempt = attempt(connections, scheme);
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

  @ParameterizedTest
  @ValueSource(strings = {
    "HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\n\r\n" + HEAD + "<s:Body><added>1",
    "HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\n\r\n" + HEAD + "<s:Body/>",
    "HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\n\r\n",
    "HTTP/1.0 200 OK\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n\r\n" + HEAD + "<s:Body/></s:Envelope>\r\n--b\r\n",
    "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 500\r\n\r\n" + HEAD + "<s:Body/></s:Envelope>"})
  void aResponseThatIsCutOffIsNoAnswer(String response) throws Exception {
    try (ReplicaConnections connections = connections(LONG, 1_000)) {
      CompletableFuture<IOException> failure = failureOf(connections, "http");
      respond(response);
      assertFalse(failure.join() instanceof NotSentException);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\n\r\n" + HEAD + "<s:Body/></s:Envelope>\n",
    "HTTP/1.0 202 Accepted\r\nContent-Type: text/xml\r\n\r\n",
    "HTTP/1.0 504 Gateway Timeout\r\nContent-Type: text/html\r\n\r\n<html><p>"})
  void theEndOfTheConnectionEndsAWholeResponse(String response) throws Exception {
    try (ReplicaConnections connections = connections(LONG, 1_000)) {
      CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> {
        try {
          return connections.send(attempt(connections, "http"), LONG);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }, threads);
      respond(response);
      assertEquals(Integer.parseInt(response.substring(9, 12)), answer.join().status());
    }
  }

  private void respond(String response) throws IOException {
    try (Socket socket = server.accept()) {
      readRequest(socket.getInputStream());
      socket.getOutputStream().write(response.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void aResponseIsDecompressedIfTheRequestAcceptsThat() throws Exception {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write((HEAD + "<s:Body/></s:Envelope>").getBytes(StandardCharsets.UTF_8));
    }
    try (ReplicaConnections connections = connections(LONG, 1_000)) {
      URI replica = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/app");
      Attempt attempt = new Attempt(
          replica, replica, new Access(null, Map.of(), connections), "text/xml", Map.of("Accept-Encoding", "gzip"),
          Content.of(BODY.getBytes(StandardCharsets.UTF_8)));
      CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> {
        try {
          return connections.send(attempt, LONG);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }, threads);
      try (Socket socket = server.accept()) {
        readRequest(socket.getInputStream());
        String head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: gzip\r\nContent-Length: " + zipped.size() + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().write(zipped.toByteArray());
        assertTrue(answer.join().isSoap());
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
