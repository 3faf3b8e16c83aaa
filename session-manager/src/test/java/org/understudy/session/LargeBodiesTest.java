package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;
import org.understudy.test.process.Program;

/** Bodies that are announced, large, or late. */
class LargeBodiesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int CONNECTIONS = 120;
  private static final int LARGEST = 2_097_152;
  private static final String FLOOD = "127.0.0.2";
  private static final String HONEST = "127.0.0.1";

  @TempDir
  private Path directory;

  private static void application(Context context) {
    SessionServer.servlet(context, "/length", ServletAction.servlet(LargeBodiesTest::length));
  }

  private static void length(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String parameter = request.getParameter("text");
    response.getWriter().print("length " + (parameter == null ? request.getInputStream().readAllBytes().length : parameter.length()));
  }

  /** The process with a small heap: prints the port, and ends at the end of its input. */
  static final class Group {
    private Group() {}

    /** @param args the directory */
    public static void main(String[] args) throws Exception {
      try (SessionCluster cluster = new SessionCluster(2, Path.of(args[0]), LargeBodiesTest::application)) {
        System.out.println("at " + cluster.server(1).url(""));
        while (System.in.read() >= 0) {
          // Until the test ends.
        }
      }
    }
  }

  private static Socket post(int port, String from, String type, String length) throws IOException {
    Socket socket = new Socket(InetAddress.getByName(HONEST), port, InetAddress.getByName(from), 0);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.getOutputStream().write(("POST /length HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: " + type + "\r\n" + length
        + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String answer(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void servesOthers(int port) throws IOException {
    try (Socket socket = post(port, HONEST, "text/plain", "Content-Length: 3")) {
      socket.getOutputStream().write("abc".getBytes(StandardCharsets.US_ASCII));
      String answer = answer(socket);
      assertTrue(answer.startsWith("HTTP/1.1 200") && answer.contains("length 3"), answer);
    }
  }

  /** Sends one request, as far as the server lets it. */
  private static void flood(int port, boolean chunked, boolean form) throws IOException {
    String type = form ? "application/x-www-form-urlencoded" : "application/octet-stream";
    try (Socket socket = post(port, FLOOD, type, chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + LARGEST)) {
      OutputStream out = socket.getOutputStream();
      if (chunked) {
        out.write((Integer.toHexString(LARGEST) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      }
      out.write(("text=" + "x".repeat(LARGEST - 5)).getBytes(StandardCharsets.US_ASCII));
      if (chunked) {
        out.write("\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      }
      answer(socket);
    } catch (SocketException e) {
      // The server has answered before the whole body was there, and closed the connection.
    }
  }

  @Test
  void announcedAndLargeBodiesEndNoServer() throws Exception {
    List<String> command = List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m",
        "-XX:+ExitOnOutOfMemoryError", "-cp", System.getProperty("java.class.path"), Group.class.getName(), directory.toString());
    ExecutorService clients = Executors.newCachedThreadPool();
    List<Socket> silent = new ArrayList<>();
    try (Program group = Program.startMerged(Path.of("").toAbsolutePath(), PATIENCE, command)) {
      String url = group.out().await("at ");
      int port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
      for (int i = 0; i < CONNECTIONS; i++) {
        silent.add(post(port, FLOOD, "text/plain", "Content-Length: " + LARGEST));
        servesOthers(port);
      }
      for (Socket socket : silent) {
        socket.close();
      }
      List<Future<?>> floods = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        boolean chunked = i % 2 == 0;
        boolean form = i % 3 == 0;
        floods.add(clients.submit(() -> {
          flood(port, chunked, form);
          return null;
        }));
      }
      boolean over;
      do {
        over = floods.stream().allMatch(Future::isDone);
        servesOthers(port);
      } while (!over);
      for (Future<?> flood : floods) {
        flood.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      clients.shutdownNow();
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void theOnlyRequestOfAClientIsServedAndOthersAreRefused() throws Exception {
    try (SessionCluster cluster =
        new SessionCluster(2, directory, LargeBodiesTest::application, manager -> manager.setHeldBytes(1_000_000))) {
      SessionServer server = cluster.server(1);
      int port = Integer.parseInt(server.url("").substring(server.url("").lastIndexOf(':') + 1));
      byte[] half = new byte[LARGEST / 2];
      try (Socket large = post(port, FLOOD, "text/plain", "Content-Length: " + LARGEST)) {
        large.getOutputStream().write(half);
        Condition.await("half of the body", () -> server.manager().held().total() >= half.length);
        try (Socket second = post(port, FLOOD, "text/plain", "Content-Length: 3")) {
          second.getOutputStream().write(new byte[3]);
          String refused = answer(second);
          assertTrue(refused.startsWith("HTTP/1.1 503") && refused.contains("Understudy-Failure: Overloaded"), refused);
        }
        large.getOutputStream().write(half);
        String answer = answer(large);
        assertTrue(answer.contains("length " + LARGEST), answer);
      }
      Condition.await("the end of all requests", () -> server.manager().held().total() == 0);
      servesOthers(port);
    }
  }

  /** Sends another byte unless there is an answer. */
  private static boolean isAnswered(Socket slow) {
    try {
      if (slow.getInputStream().available() == 0) {
        slow.getOutputStream().write('x');
        return false;
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aBodyHasADeadline() throws Exception {
    try (SessionCluster cluster = new SessionCluster(2, directory, LargeBodiesTest::application, manager -> manager.setBodySeconds(1))) {
      SessionServer server = cluster.server(1);
      int port = Integer.parseInt(server.url("").substring(server.url("").lastIndexOf(':') + 1));
      try (Socket slow = post(port, HONEST, "text/plain", "Content-Length: " + LARGEST)) {
        Condition.await("an answer", () -> isAnswered(slow));
        assertEquals("HTTP/1.1 408", new String(slow.getInputStream().readNBytes(12), StandardCharsets.US_ASCII));
      }
      Condition.await("the end of all requests", () -> server.manager().held().total() == 0);
      servesOthers(port);
    }
  }
}
