package org.understudy.container.forwarding.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.forwarding.http.ForwardingConnections.Answer;
import org.understudy.container.forwarding.http.ForwardingConnections.NoRoomException;
import org.understudy.container.forwarding.http.ForwardingConnections.ResponseTooLongException;
import org.understudy.container.forwarding.http.ForwardingConnections.Try;
import org.understudy.container.forwarding.sealed.SealedRequest;
import org.understudy.notification.connection.TrustAnchors;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.test.Condition;

/** One POST to another replica: what is sent, and how an attempt without an answer ended. */
class ForwardingConnectionsTest {
  private static final SealedRequest BODY = new SealedRequest(new byte[] {}, "<content/>".getBytes(StandardCharsets.UTF_8));
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine";
  private static final LocalShares HELD = new LocalShares("responses hold %d bytes", 1 << 20);
  private static final Reservation RESERVATION = new Reservation(HELD, "client");
  private static final Duration LONG = Duration.ofMinutes(10);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<AutoCloseable> open = new ArrayList<>();
  private ForwardingConnections connections = connections(LONG, 1_000);

  @AfterEach
  void close() throws Exception {
    connections.close();
    for (AutoCloseable one : open) {
      one.close();
    }
    threads.shutdownNow();
  }

  private static ForwardingConnections connections(Duration connectTimeout, int maxResponseBytes) {
    return new ForwardingConnections(connectTimeout, 4, maxResponseBytes, TrustAnchors.ofJvm());
  }

  private ServerSocket server(int backlog) throws IOException {
    ServerSocket server = new ServerSocket(0, backlog, InetAddress.getLoopbackAddress());
    open.add(server);
    return server;
  }

  private static URI address(String scheme, ServerSocket server) {
    return URI.create(scheme + "://127.0.0.1:" + server.getLocalPort() + "/app");
  }

  private static long end() {
    return System.nanoTime() + LONG.toNanos();
  }

  private Answer post(URI replica) throws IOException {
    return post(replica, new Try());
  }

  private Answer post(URI replica, Try attempt) throws IOException {
    return connections.post(replica, "/services/S", Map.of("Content-Type", "text/xml"), BODY, RESERVATION, end(), attempt);
  }

  private CompletableFuture<Answer> postLater(URI replica, Try attempt) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        return post(replica, attempt);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }, threads);
  }

  private static IOException failure(CompletableFuture<Answer> answer) {
    CompletionException thrown = assertThrows(CompletionException.class, answer::join);
    return assertInstanceOf(UncheckedIOException.class, thrown.getCause()).getCause();
  }

  /** @return the head and the content of one request; null at the end of the connection */
  private static String read(Socket socket) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    InputStream in = socket.getInputStream();
    while (!bytes.toString(StandardCharsets.UTF_8).endsWith("<content/>")) {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      bytes.write(next);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return read(socket) == null;
    } catch (SocketException e) {
      // Reset: the other end does not read any more.
      return true;
    }
  }

  private static void write(Socket socket, String response) throws IOException {
    socket.getOutputStream().write(response.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aRequestIsPostedAsItIsAndTheConnectionIsKept() throws Exception {
    ServerSocket server = server(5);
    CompletableFuture<Answer> first = postLater(address("http", server), new Try());
    try (Socket socket = server.accept()) {
      String request = read(socket);
      assertEquals("POST /app/services/S HTTP/1.1", request.lines().findFirst().orElseThrow());
      String head = request.toLowerCase(Locale.ROOT);
      assertEquals(1, head.split("\r\ncontent-length: 14\r\n", -1).length - 1, request);
      assertEquals(1, head.split("\r\nhost: 127.0.0.1:", -1).length - 1, request);
      assertFalse(head.contains("accept-encoding") || head.contains("cookie") || head.contains("expect"), request);
      write(socket, OK);
      assertEquals("fine", new String(first.join().body(), StandardCharsets.UTF_8));
      CompletableFuture<Answer> second = postLater(address("http", server), new Try());
      assertEquals(request, read(socket));
      write(socket, OK);
      assertEquals(200, second.join().status());
    }
  }

  @Test
  void anOddPathIsPassedOn() throws Exception {
    ServerSocket server = server(5);
    CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> {
      try {
        return connections.post(
            URI.create("http://127.0.0.1:" + server.getLocalPort()), "//a;b=[|]/%2F", Map.of(), BODY, RESERVATION, end(), new Try());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }, threads);
    try (Socket socket = server.accept()) {
      assertEquals("POST //a;b=[|]/%2F HTTP/1.1", read(socket).lines().findFirst().orElseThrow());
      write(socket, OK);
      assertEquals(200, answer.join().status());
    }
  }

  /** Otherwise a request without an identity would have an unknown outcome whenever a replica has closed an idle connection. */
  @Test
  void closedConnectionIsNotReused() throws Exception {
    ServerSocket server = server(5);
    CompletableFuture<Answer> first = postLater(address("http", server), new Try());
    try (Socket socket = server.accept()) {
      read(socket);
      write(socket, OK);
      first.join();
    }
    long closed = System.currentTimeMillis();
    Condition.await(() -> System.currentTimeMillis() > closed + 1);
    CompletableFuture<Answer> second = postLater(address("http", server), new Try());
    try (Socket socket = server.accept()) {
      read(socket);
      write(socket, OK);
      assertEquals(200, second.join().status());
    }
  }

  @Test
  void aRequestWithoutAnAnswerIsNotSentAgain() throws Exception {
    ServerSocket server = server(5);
    CompletableFuture<Answer> answer = postLater(address("http", server), new Try());
    try (Socket socket = server.accept()) {
      read(socket);
    }
    assertFalse(failure(answer) instanceof ConnectException);
    // The next connection is the next request's.
    CompletableFuture<Answer> next = postLater(address("http", server), new Try());
    try (Socket socket = server.accept()) {
      read(socket);
      write(socket, OK);
      assertEquals(200, next.join().status());
    }
  }

  @Test
  void abortedAttemptThatWasSentMayHaveArrived() throws Exception {
    ServerSocket server = server(5);
    Try attempt = new Try();
    CompletableFuture<Answer> answer = postLater(address("http", server), attempt);
    try (Socket socket = server.accept()) {
      read(socket);
      attempt.breakOff();
      assertFalse(failure(answer) instanceof ConnectException);
      assertTrue(isClosed(socket));
    }
  }

  @Test
  void attemptAbortedBeforeItBeganIsNotSent() throws Exception {
    Try attempt = new Try();
    attempt.breakOff();
    assertThrows(ConnectException.class, () -> post(address("http", server(5)), attempt));
  }

  @Test
  void attemptAbortedWhileConnectingIsNotSent() throws Exception {
    ServerSocket server = server(1);
    // The queue of connections is full, so the next one stays without an answer.
    for (int i = 0; i < 3; i++) {
      Socket filling = new Socket();
      open.add(filling);
      try {
        filling.connect(server.getLocalSocketAddress(), 50);
      } catch (IOException e) {
        break;
      }
    }
    Try attempt = new Try();
    CompletableFuture<Answer> answer = postLater(address("http", server), attempt);
    Condition.await(() -> connecting());
    attempt.breakOff();
    assertInstanceOf(ConnectException.class, failure(answer));
  }

  private static boolean connecting() {
    return Thread.getAllStackTraces().values().stream().anyMatch(stack -> {
      boolean posts = false;
      boolean connects = false;
      for (StackTraceElement frame : stack) {
        posts |= frame.getClassName().equals(ForwardingConnections.class.getName());
        connects |= frame.getClassName().equals("sun.nio.ch.NioSocketImpl") && frame.getMethodName().equals("connect");
      }
      return posts && connects;
    });
  }

  @Test
  void attemptAbortedDuringTheTlsHandshakeIsNotSent() throws Exception {
    ServerSocket server = server(5);
    Try attempt = new Try();
    CompletableFuture<Answer> answer = postLater(address("https", server), attempt);
    try (Socket socket = server.accept()) {
      socket.getInputStream().read();
      attempt.breakOff();
      assertInstanceOf(ConnectException.class, failure(answer));
    }
  }

  @Test
  void aTlsHandshakeWithoutAnAnswerEnds() throws Exception {
    ServerSocket server = server(5);
    connections = connections(Duration.ofMillis(100), 1_000);
    assertInstanceOf(ConnectException.class, failure(postLater(address("https", server), new Try())));
  }

  @Test
  void aReplicaThatRefusesTheConnectionHasReceivedNothing() throws Exception {
    ServerSocket server = server(5);
    server.close();
    assertThrows(ConnectException.class, () -> post(address("http", server)));
  }

  @Test
  void aResponseIsReadAsFarAsThereIsMemoryForIt() throws Exception {
    LocalShares held = new LocalShares("responses hold %d bytes", 100_000);
    new Reservation(held, "client").grow(24_000);
    Reservation reservation = new Reservation(held, "client");
    ServerSocket server = server(5);
    CompletableFuture<Void> answers = CompletableFuture.runAsync(() -> {
      try (Socket socket = server.accept()) {
        socket.getOutputStream().write(OK.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }, threads);
    assertThrows(
        NoRoomException.class, () -> connections.post(address("http", server), "/", Map.of(), BODY, reservation, end(), new Try()));
    answers.join();
    assertEquals(24_000, held.total());
  }

  @Test
  void theDeadlineEndsTheWaiting() throws Exception {
    ServerSocket server = server(5);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
    IOException late =
        assertThrows(IOException.class, () -> connections.post(address("http", server), "/", Map.of(), BODY, RESERVATION, end, new Try()));
    assertFalse(late instanceof ConnectException);
  }

  @Test
  void aRedirectAndACompressedResponseArePassedOnAndCookiesAreNotKept() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    open.add(() -> server.stop(0));
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(BODY.message());
    }
    ConcurrentLinkedQueue<Headers> requests = new ConcurrentLinkedQueue<>();
    server.createContext("/", exchange -> {
      exchange.getRequestBody().readAllBytes();
      requests.add(exchange.getRequestHeaders());
      exchange.getResponseHeaders().set("Location", "/elsewhere");
      exchange.getResponseHeaders().set("Set-Cookie", "a=b");
      exchange.getResponseHeaders().set("Content-Encoding", "gzip");
      exchange.sendResponseHeaders(307, compressed.size());
      exchange.getResponseBody().write(compressed.toByteArray());
      exchange.close();
    });
    server.start();
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/app");
    for (int i = 0; i < 2; i++) {
      Answer answer = post(address);
      assertEquals(307, answer.status());
      assertArrayEquals(compressed.toByteArray(), answer.body());
    }
    assertEquals(2, requests.size());
    assertFalse(requests.stream().anyMatch(headers -> headers.containsKey("Cookie")));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n",
    "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n12345678901"})
  void aResponseAboveTheLimitEndsTheAttempt(String response) throws Exception {
    connections = connections(LONG, 10);
    ServerSocket server = server(5);
    CompletableFuture<Answer> answer = postLater(address("http", server), new Try());
    try (Socket socket = server.accept()) {
      read(socket);
      write(socket, response);
      assertInstanceOf(ResponseTooLongException.class, failure(answer));
      assertTrue(isClosed(socket));
    }
  }

  @Test
  void closingEndsCallsInFlight() throws Exception {
    ServerSocket server = server(5);
    CompletableFuture<Answer> answer = postLater(address("http", server), new Try());
    try (Socket socket = server.accept()) {
      read(socket);
      connections.close();
      assertFalse(failure(answer) instanceof ConnectException);
    }
    assertThrows(ConnectException.class, () -> post(address("http", server)));
  }
}
