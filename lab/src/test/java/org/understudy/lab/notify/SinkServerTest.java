package org.understudy.lab.notify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SinkServerTest {
  private static final String ACCEPTED = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";

  private final Arrivals arrivals = new Arrivals();
  private SinkServer server;
  private Socket producer;

  @BeforeEach
  void start() throws IOException {
    server = new SinkServer(arrivals, failure -> {
      throw new AssertionError(failure);
    });
    producer = new Socket(InetAddress.getLoopbackAddress(), server.ports().get(0));
  }

  @AfterEach
  void stop() throws IOException {
    producer.close();
    server.close();
  }

  @Test
  void messagesOnOneConnectionAreTakenAndAnswered() throws Exception {
    arrivals.open(0, 1);
    for (int value = 1; value <= 3; value++) {
      arrivals.expect(value);
      send(notification(0, value));
      assertEquals(ACCEPTED, receive(ACCEPTED.length()));
      assertTrue(arrivals.await(60_000)[0] != 0);
    }
    assertEquals(0, arrivals.gaps());
  }

  @Test
  void messagesCanArriveInPiecesAndTogether() throws Exception {
    arrivals.open(0, 1);
    arrivals.expect(2);
    String both = notification(0, 1) + notification(0, 2);
    for (int at = 0; at < both.length(); at += 50) {
      send(both.substring(at, Math.min(at + 50, both.length())));
    }
    assertEquals(ACCEPTED + ACCEPTED, receive(2 * ACCEPTED.length()));
    assertTrue(arrivals.await(60_000)[0] != 0);
    assertEquals(0, arrivals.gaps());
  }

  @Test
  void stalledConsumerReceivesAndDoesNotAnswer() throws Exception {
    arrivals.open(0, 100);
    arrivals.expect(1);
    // Were the first one answered, its answer would come before the second one's.
    send(notification(99, 1) + notification(0, 1));
    assertEquals(ACCEPTED, receive(ACCEPTED.length()));
    for (int consumer = 1; consumer < 99; consumer++) {
      send(notification(consumer, 1));
      assertEquals(ACCEPTED, receive(ACCEPTED.length()));
    }
    assertEquals(99, arrivals.await(60_000).length);
    assertEquals(0, producer.getInputStream().available());
  }

  @Test
  void otherMessagesAreCountedAsStrays() throws Exception {
    arrivals.open(0, 1);
    send("POST /sink/0 HTTP/1.1\r\nContent-Length: 4\r\n\r\n<a/>");
    assertEquals(ACCEPTED, receive(ACCEPTED.length()));
    send("GET /sink/0 HTTP/1.1\r\n\r\n");
    assertTrue(receive(20).startsWith("HTTP/1.1 400"));
    assertEquals(2, arrivals.strays());
  }

  @Test
  void endlessRequestIsAborted() throws Exception {
    send("POST /sink/0 HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n");
    assertEquals(-1, producer.getInputStream().read());
  }

  private static String notification(int consumer, int value) {
    String body = "<NewValues><Value>" + value + "</Value></NewValues>";
    return "POST /sink/" + consumer + " HTTP/1.1\r\nHost: localhost\r\ncontent-length: " + body.length() + "\r\n\r\n" + body;
  }

  private void send(String bytes) throws IOException {
    producer.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
    producer.getOutputStream().flush();
  }

  private String receive(int bytes) throws IOException {
    InputStream in = producer.getInputStream();
    return new String(in.readNBytes(bytes), StandardCharsets.US_ASCII);
  }
}
