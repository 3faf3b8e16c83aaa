package org.understudy.lab.attack;

import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.counter.CounterPortType;
import org.understudy.counter.CreateCounter;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.cluster.CounterAddress;
import org.understudy.lab.cluster.Envelopes;
import org.understudy.thread.DaemonThreads;

/**
 * Honest clients during an attack: two with the stub, and at each replica a plain client, a browser with a shopping cart, and a probe of
 * the replica's health. Each calls, counts, waits a little and calls again until it is closed.
 */
final class HonestClients implements AutoCloseable {
  private static final URL CONTRACT = CounterPortType.class.getResource("/wsdl/counter.wsdl");
  private static final int BEHIND_STUB = 2;
  private static final long PAUSE_MS = 20;
  private static final int MAX_QUOTED = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<Thread> threads = new ArrayList<>();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
  private final FaultTolerantGroup group;
  private volatile Service service = new Service();
  private volatile boolean stopped;

  /** How honest clients are served during one attack. */
  static final class Service {
    private long calls;
    private long longestNanos;
    private final List<String> failures = new ArrayList<>();

    private synchronized void served(long nanos) {
      calls++;
      longestNanos = Math.max(longestNanos, nanos);
    }

    private synchronized void failed(String why) {
      failures.add(why);
    }

    synchronized long calls() {
      return calls;
    }

    synchronized long longestMillis() {
      return TimeUnit.NANOSECONDS.toMillis(longestNanos);
    }

    synchronized List<String> failures() {
      return List.copyOf(failures);
    }
  }

  /** Starts them. */
  HonestClients(Cluster cluster) throws IOException, InterruptedException {
    group = FaultTolerant.group(FaultTolerance.ofDefaults(cluster.services()));
    for (int i = 0; i < BEHIND_STUB; i++) {
      start("stub-" + i, stub());
    }
    for (URI replica : cluster.services()) {
      start("plain-" + replica.getPort(), plain(replica));
      start("health-" + replica.getPort(), health(replica.resolve("../health/live")));
      start("cart-" + replica.getPort(), cart(replica.resolve(SessionAttacks.SHOP)));
    }
  }

  private void start(String name, Callable<Void> call) {
    Thread thread = DaemonThreads.daemon("honest-" + name, () -> repeat(name, call));
    threads.add(thread);
    thread.start();
  }

  private void repeat(String name, Callable<Void> call) {
    try {
      while (!stopped) {
        Service counted = service;
        long begin = System.nanoTime();
        try {
          call.call();
          counted.served(System.nanoTime() - begin);
        } catch (InterruptedException e) {
          throw e;
        } catch (Exception e) {
          counted.failed(name + " after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms: " + e);
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Adds 1 to a counter of its own and checks the total: exactly-once execution. */
  private Callable<Void> stub() {
    W3CEndpointReference reference =
        group.client(CounterPortType.class, CONTRACT).createCounter(new CreateCounter()).getEndpointReference();
    CounterPortType counter = group.client(CounterPortType.class, CONTRACT, reference);
    int[] total = {0};
    return () -> {
      int expected = total[0] + 1;
      int got = counter.add(1);
      total[0] = got;
      if (got != expected) {
        throw new IllegalStateException("The counter returned " + got + "; expected was " + expected + ".");
      }
      return null;
    };
  }

  /**
   * Adds 1 to a counter of its own and checks the total: a plain client without header or session, at one replica. It
   * retries a request without result under the same MessageID.
   */
  private Callable<Void> plain(URI replica) throws IOException, InterruptedException {
    URI counter = replica.resolve(CounterAddress.in(result(replica, Envelopes.createCounter(0))).getRawPath());
    int[] total = {0};
    return () -> {
      String answer = result(counter, Envelopes.add(Envelopes.messageId("urn:uuid:" + UUID.randomUUID()), 1));
      String expected = ">" + ++total[0] + "<";
      if (!answer.contains(expected)) {
        throw new IllegalStateException("The counter answered without " + expected + ": " + cut(answer));
      }
      return null;
    };
  }

  /**
   * Puts a product into a cart of its own at one replica and checks how many are there: a browser with a cookie. It retries a request
   * without result under the same request id.
   */
  private Callable<Void> cart(URI shop) {
    HttpClient browser =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.NORMAL).build();
    int[] total = {0};
    return () -> {
      String form = SessionAttacks.ADD + "&understudy.request=" + UUID.randomUUID();
      String page = result(() -> send(browser, shop, SessionAttacks.FORM, form));
      String expected = ">" + ++total[0] + " × ";
      if (!page.contains(expected)) {
        throw new IllegalStateException("The cart was shown without " + expected + ": " + cut(page));
      }
      return null;
    };
  }

  private String result(URI to, String envelope) throws IOException, InterruptedException {
    return result(() -> send(http, to, "text/xml; charset=UTF-8", envelope));
  }

  /** Sends a request. */
  @FunctionalInterface
  private interface Sending {
    String send() throws IOException, InterruptedException;
  }

  private static String result(Sending request) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return request.send();
      } catch (IOException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
    }
  }

  private static String send(HttpClient client, URI to, String type, String body) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(to).timeout(PATIENCE).header("Content-Type", type)
        .header("SOAPAction", "\"\"").POST(HttpRequest.BodyPublishers.ofString(body)).build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("HTTP status " + answer.statusCode() + ": " + cut(answer.body()));
    }
    return answer.body();
  }

  private static String cut(String text) {
    return text.length() > MAX_QUOTED ? text.substring(0, MAX_QUOTED) + " …" : text;
  }

  private Callable<Void> health(URI live) {
    return () -> {
      HttpRequest request = HttpRequest.newBuilder(live).timeout(PATIENCE).build();
      int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      if (status != 200) {
        throw new IllegalStateException(live + " answered HTTP status " + status + ".");
      }
      return null;
    };
  }

  /** Closes one record and begins the next. */
  Service next() {
    Service last = service;
    service = new Service();
    return last;
  }

  @Override
  public void close() {
    stopped = true;
    try {
      for (Thread thread : threads) {
        thread.join(PATIENCE.toMillis() * 2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      group.close();
    }
  }
}
