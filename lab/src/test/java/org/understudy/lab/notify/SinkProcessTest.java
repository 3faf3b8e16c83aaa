package org.understudy.lab.notify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The consumers' real process, and a producer that is this test. */
@Timeout(120)
class SinkProcessTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final HttpClient producer = HttpClient.newHttpClient();

  @Test
  void consumersInAnotherProcessTellWhenTheyWereNotified() throws Exception {
    try (SinkProcess sinks = new SinkProcess()) {
      sinks.open(3);
      sinks.expect(1);
      long before = System.nanoTime();
      for (String consumer : sinks.addresses()) {
        notify(consumer, 1);
      }
      long after = System.nanoTime();
      long[] times = sinks.await(LONG);
      assertEquals(3, times.length);
      for (long time : times) {
        assertTrue(before <= time && time <= after, "one clock for both processes");
      }
      assertEquals(new SinkProcess.Account(0, 0, 0), sinks.account());
    }
  }

  @Test
  void missingNotificationIsAFailure() throws Exception {
    try (SinkProcess sinks = new SinkProcess()) {
      sinks.open(2);
      sinks.expect(1);
      notify(sinks.addresses().get(0), 1);
      IOException failure = assertThrows(IOException.class, () -> sinks.await(Duration.ofMillis(1)));
      assertTrue(failure.getMessage().startsWith("1 of 2 consumers"), failure.getMessage());
    }
  }

  @Test
  void consumersOfTheNextGroupHaveAddressesOfTheirOwn() throws Exception {
    try (SinkProcess sinks = new SinkProcess()) {
      sinks.open(2);
      List<String> earlier = sinks.addresses();
      sinks.open(2);
      Set<String> all = new TreeSet<>(earlier);
      all.addAll(sinks.addresses());
      assertEquals(4, all.size());
      sinks.expect(1);
      notify(earlier.get(0), 7);
      for (String consumer : sinks.addresses()) {
        notify(consumer, 1);
      }
      assertEquals(2, sinks.await(LONG).length);
      assertEquals(new SinkProcess.Account(0, 0, 0), sinks.account());
    }
  }

  private void notify(String consumer, int value) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(consumer))
            .POST(HttpRequest.BodyPublishers.ofString("<NewValues><Value>" + value + "</Value></NewValues>"))
            .build();
    assertEquals(202, producer.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
  }
}
