package org.understudy.container.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.notebook;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.strategy.ForEachStrategy;

/** AwaitView requests that wait at a real Tomcat, byte by byte. */
@ForEachStrategy
class LongPollHttpTest {
  private static final int POLLS = 200;
  /** From the future, so that no view answers it. */
  private static final long FUTURE = 1L << 40;
  @TempDir Path directory;

  private static String poll(long epoch, int seconds, String headers) {
    String body = envelope("", "<AwaitView xmlns=\"urn:understudy:replication:1\"><Epoch>" + epoch
        + "</Epoch><HoldSeconds>" + seconds + "</HoldSeconds></AwaitView>");
    return "POST /app/replication HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\n" + headers + "Content-Length: "
        + body.length() + "\r\n\r\n" + body;
  }

  private static String chunked(String request) {
    String text = request.replaceFirst("Content-Length: \\d+\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n");
    int body = text.indexOf("\r\n\r\n") + 4;
    return text.substring(0, body) + Integer.toHexString(text.length() - body) + "\r\n" + text.substring(body)
        + "\r\n0\r\n\r\n";
  }

  private static Socket open(ServiceCluster site, int replica, String text) throws IOException {
    Socket socket = new Socket("127.0.0.1", site.port(replica));
    socket.setSoTimeout(60_000);
    send(socket, text);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The whole answer, by its length. */
  private static String answer(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder text = new StringBuilder();
    int length = -1;
    for (int next = in.read(); next >= 0; next = in.read()) {
      text.append((char) next);
      int blank = text.indexOf("\r\n\r\n");
      if (length < 0 && blank >= 0) {
        int at = text.indexOf("Content-Length: ") + 16;
        length = blank + 4 + Integer.parseInt(text.substring(at, text.indexOf("\r\n", at)));
      }
      if (text.length() == length) {
        break;
      }
    }
    assertEquals(length, text.length(), text.toString());
    return text.toString();
  }

  private static int places(ServiceCluster site, int replica) {
    return Integer.parseInt(site.health(replica, "live").body().replaceAll("(?s).*\"polls\":(\\d+).*", "$1"));
  }

  @Test
  void pollsEndWithTheirConnections() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, Map.of())) {
      List<Socket> sockets = new ArrayList<>();
      for (int i = 0; i < POLLS; i++) {
        sockets.add(open(site, 1, poll(FUTURE, 60, "")));
      }
      Condition.await(() -> places(site, 1) == POLLS);
      for (int i = 0; i < POLLS; i++) {
        if (i % 2 == 0) {
          sockets.get(i).setSoLinger(true, 0);
        }
        sockets.get(i).close();
      }
      Condition.await(() -> places(site, 1) == 0);
      assertEquals(200, site.call(1, envelope("", notebook("append", "x"))).status());
    }
  }

  @Test
  void pollsWhoseBodiesCameLateEndWithTheirConnectionsToo() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, Map.of())) {
      Socket socket = open(site, 1, chunked(poll(FUTURE, 60, "")));
      Condition.await(() -> places(site, 1) == 10);
      socket.close();
      Condition.await(() -> places(site, 1) == 0);
    }
  }

  @Test
  void theAnswerFillsTheAnnouncedLengthAndEndsTheConnection() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, Map.of())) {
      try (Socket socket = open(site, 1, poll(FUTURE, 1, ""))) {
        String answer = answer(socket);
        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
        assertTrue(answer.contains("\r\nConnection: close\r\n"), answer);
        assertTrue(answer.stripTrailing().endsWith("</soap:Envelope>"), answer);
        assertTrue(answer.contains("<ur:AwaitViewResponse"), answer);
        // The client is asked to end the connection; until then it keeps its place.
        assertEquals(1, places(site, 1));
      }
      Condition.await(() -> places(site, 1) == 0);
    }
  }

  @Test
  void aNewViewAnswersEveryKindOfPoll() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of())) {
      int first = site.primary();
      int backup = site.backup();
      long epoch = Long.parseLong(site.openSessionView());
      String plain = poll(epoch, 60, "");
      List<Socket> sockets = new ArrayList<>();
      sockets.add(open(site, backup, plain));
      // Its body comes later, so that it has been dispatched twice when it waits: that one keeps its request.
      sockets.add(open(site, backup, chunked(plain)));
      sockets.add(open(site, backup, plain + "\r\n"));
      Condition.await(() -> places(site, backup) == 1 + 10 + 1);
      site.stop(first);
      for (Socket socket : sockets) {
        String answer = answer(socket);
        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
        String told = answer.replaceAll("(?s).*<ur:Epoch>(\\d+)<.*", "$1");
        assertTrue(Long.parseLong(told) > epoch, answer);
        socket.close();
      }
      Condition.await(() -> places(site, backup) == 0);
    }
  }

  @Test
  void oneClientHoldsAFourthOfThePlaces() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, Map.of("understudy.held.polls", "400"))) {
      List<Socket> sockets = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        sockets.add(open(site, 1, poll(FUTURE, 60, "")));
      }
      Condition.await(() -> places(site, 1) == 100);
      try (Socket tooMany = open(site, 1, poll(FUTURE, 60, ""))) {
        String refusal = answer(tooMany);
        assertTrue(refusal.contains("<ur:Code>Overloaded</ur:Code>"), refusal);
      }
      for (Socket socket : sockets) {
        socket.close();
      }
      Condition.await(() -> places(site, 1) == 0);
    }
  }

  @Test
  void clientThatKeepsSendingIsDisconnected() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, Map.of());
        Socket socket = open(site, 1, poll(FUTURE, 60, ""))) {
      Condition.await(() -> places(site, 1) == 1);
      send(socket, "x".repeat(1_000));
      Condition.await(() -> places(site, 1) == 0);
    }
  }
}
