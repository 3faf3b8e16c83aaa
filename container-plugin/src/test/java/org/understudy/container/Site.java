package org.understudy.container;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.understudy.container.contract.DeclaredFaults;
import org.understudy.container.deployment.UnderstudyInitializer;

/** Replicas in this process, each in a Tomcat of its own, and a plain HTTP client. */
public final class Site implements AutoCloseable {
  private static final int LOWEST_PORT = 11_000;
  private static final int PORTS = 16_000;
  private static final AtomicInteger NEXT_PORT = new AtomicInteger((int) (ProcessHandle.current().pid() * 37 % PORTS));

  /** Another one whenever a replica starts or stops: the kept connections of the old one may lead to who is gone. */
  private volatile HttpClient http = client();

  /** Kept, since a logger that nobody holds loses its level. */
  private static final List<Logger> QUIET =
      Stream.of("org.apache.cxf", "org.apache.catalina", "org.apache.coyote", "org.apache.tomcat", "org.understudy")
          .map(Logger::getLogger)
          .toList();

  static {
    QUIET.forEach(logger -> logger.setLevel(Level.OFF));
  }

  private final Map<Integer, Tomcat> tomcats = new TreeMap<>();
  private final Map<Integer, Integer> ports = new TreeMap<>();
  private final Path directory;
  private final Class<?> service;
  private final Properties settings = new Properties();

  /**
   * A group that is up.
   *
   * @param service null for a broker
   * @param more settings beyond those that every replica needs
   */
  public Site(Path directory, Class<?> service, int replicas, Map<String, String> more) throws Exception {
    this.directory = directory;
    this.service = service;
    StringBuilder urls = new StringBuilder();
    StringBuilder peers = new StringBuilder();
    for (int i = 1; i <= replicas; i++) {
      ports.put(i, freePort());
      urls.append(i == 1 ? "" : ",").append(i).append("=http://127.0.0.1:").append(ports.get(i)).append("/app");
      peers.append(i == 1 ? "" : ",").append(i).append("=127.0.0.1:").append(freePort());
    }
    settings.setProperty("understudy.replicas", urls.toString());
    settings.setProperty("understudy.peers", peers.toString());
    settings.setProperty("understudy.secret", "a secret for the tests");
    settings.setProperty("understudy.strategy", replicas == 1 ? "none" : "primary-backup");
    settings.putAll(more);
    // An empty value takes a setting away.
    settings.values().removeIf(""::equals);
    for (int i = 1; i <= replicas; i++) {
      start(i);
    }
    await(() -> health(1, "ready").statusCode() == 200);
    for (int i = 2; i <= replicas; i++) {
      int number = i;
      await(() -> health(number, "ready").statusCode() == 200);
    }
  }

  /**
   * One below those that the system gives outgoing connections: whoever tries to reach a replica that is not there yet could
   * be given its port, and be connected with itself.
   */
  private static int freePort() throws IOException {
    while (true) {
      int port = LOWEST_PORT + NEXT_PORT.getAndIncrement() % PORTS;
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (BindException e) {
        // Somebody else has it: the next one.
      }
    }
  }

  /** Starts a replica. */
  public void start(int number) throws Exception {
    start(number, Map.of(), () -> {});
  }

  /**
   * Starts a replica.
   *
   * @param beforeConnector runs when all web applications have started and the connector has not
   */
  public void start(int number, Runnable beforeConnector) throws Exception {
    start(number, Map.of(), beforeConnector);
  }

  /** Starts a replica whose settings differ. */
  public void start(int number, Map<String, String> different) throws Exception {
    start(number, different, () -> {});
  }

  private void start(int number, Map<String, String> different, Runnable beforeConnector) throws Exception {
    http = client();
    Properties own = new Properties();
    own.putAll(settings);
    own.putAll(different);
    own.setProperty("understudy.replica", Integer.toString(number));
    own.setProperty("understudy.directory", directory.resolve("data-" + number).toString());
    Path file = directory.resolve("understudy-" + number + ".properties");
    try (var writer = Files.newBufferedWriter(file)) {
      own.store(writer, null);
    }
    Tomcat tomcat = new Tomcat();
    Path base = Files.createDirectories(directory.resolve("tomcat-" + number));
    tomcat.setBaseDir(base.toString());
    Connector connector = new Connector();
    connector.setProperty("address", "127.0.0.1");
    connector.setPort(ports.get(number));
    connector.setProperty("maxThreads", "64");
    connector.setProperty("maxKeepAliveRequests", "-1");
    tomcat.setConnector(connector);
    connector.addLifecycleListener(event -> {
      if (event.getType().equals(Lifecycle.BEFORE_START_EVENT)) {
        beforeConnector.run();
      }
    });
    Context context = tomcat.addContext("/app", base.toString());
    if (service == null) {
      context.addParameter("understudy.broker", "true");
    } else {
      context.addParameter("understudy.service", service.getName());
    }
    context.addParameter("understudy.config", file.toString());
    // As in conf/web.xml of every Tomcat.
    Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
    context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    tomcat.start();
    tomcats.put(number, tomcat);
    if (!context.getState().isAvailable()) {
      stop(number);
      throw new IllegalStateException("The web application does not start.");
    }
  }

  /** Stops a replica and forgets its Tomcat. */
  public void stop(int number) throws LifecycleException {
    Tomcat tomcat = tomcats.remove(number);
    tomcat.stop();
    tomcat.destroy();
    http = client();
  }

  /** The number of the replica that says it is primary. */
  public int primary() {
    int[] found = new int[1];
    await(() -> {
      found[0] = tomcats.keySet().stream().filter(i -> health(i, "primary").statusCode() == 200).findFirst().orElse(0);
      return found[0] != 0;
    });
    return found[0];
  }

  private static HttpClient client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  /** A replica that is not the primary. */
  public int backup() {
    int primary = primary();
    return tomcats.keySet().stream().filter(i -> i != primary).findFirst().orElseThrow();
  }

  public HttpResponse<String> health(int number, String which) {
    try {
      return http.send(HttpRequest.newBuilder(uri(number, "/health/" + which)).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public URI uri(int number, String path) {
    return URI.create("http://127.0.0.1:" + ports.get(number) + "/app" + path);
  }

  public int port(int number) {
    return ports.get(number);
  }

  public String service() {
    return "/services/" + (service == null ? "NotificationBroker" : service.getSimpleName());
  }

  /** Posts to the service. */
  public Answer call(int number, String envelope) {
    return post(number, service(), envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  /** What every replica is configured with. */
  public String setting(String key) {
    return settings.getProperty(key);
  }

  /** Where this replica listens for its peers. */
  public String peerUrl(int number) {
    for (String entry : settings.getProperty("understudy.peers").split(",")) {
      if (entry.startsWith(number + "=")) {
        return "http://" + entry.substring(entry.indexOf('=') + 1) + "/peer";
      }
    }
    throw new IllegalArgumentException("There is no replica " + number + ".");
  }

  /** @param path within the web application, or a whole URL */
  public Answer post(int number, String path, byte[] body, String... typeAndHeaders) {
    return postLater(number, path, body, typeAndHeaders).orTimeout(30, TimeUnit.SECONDS).join();
  }

  /**
   * Posts; a fault of a standard that the operation's contract does not declare fails.
   *
   * @param typeAndHeaders the content type, then names and values
   */
  public CompletableFuture<Answer> postLater(int number, String path, byte[] body, String... typeAndHeaders) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(path.startsWith("http:") ? URI.create(path) : uri(number, path))
            .timeout(Duration.ofSeconds(30))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    for (int i = 0; i < typeAndHeaders.length; i++) {
      if (i == 0) {
        request.header("Content-Type", typeAndHeaders[0]);
      } else {
        request.header(typeAndHeaders[i], typeAndHeaders[++i]);
      }
    }
    return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray())
        .thenApply(answer -> {
          if (answer.statusCode() >= 400) {
            DeclaredFaults.check(body, answer.body());
          }
          return new Answer(
              answer.statusCode(), answer.body(), answer.headers().firstValue("Understudy-Reason").orElse(""));
        });
  }

  public CompletableFuture<Answer> callLater(int number, String envelope) {
    return postLater(number, service(), envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  /** Opens a session at the primary. */
  public String openSession() {
    return open().between("<ur:Session>", "</ur:Session>");
  }

  /** The epoch that a fresh session is told. */
  public String openSessionView() {
    return open().between("<ur:View><ur:Epoch>", "</ur:Epoch>");
  }

  private Answer open() {
    String body = "<OpenSession xmlns=\"urn:understudy:replication:1\"><Nonce>"
        + String.format("%016x%016x", System.nanoTime(), Thread.currentThread().getId()) + "</Nonce></OpenSession>";
    return post(primary(), "/replication", Soap.envelope("", body).getBytes(StandardCharsets.UTF_8), "text/xml");
  }

  /** Waits for a condition, with a bound generous enough that only a defect meets it. */
  public static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("It did not happen within 30 s.");
      }
      LockSupport.parkNanos(500_000);
    }
  }

  @Override
  public void close() throws LifecycleException {
    for (Integer number : tomcats.keySet().toArray(new Integer[0])) {
      stop(number);
    }
  }

  /** What came back. */
  /** @param reason of a fault that has no envelope */
  public record Answer(int status, byte[] bytes, String reason) {
    public String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The content of the Body, as sent. */
    public String body() {
      return between("<soap:Body>", "</soap:Body>");
    }

    public String between(String begin, String end) {
      String text = text();
      int from = text.indexOf(begin);
      int to = text.indexOf(end, from);
      if (from < 0 || to < 0) {
        throw new AssertionError("There is no " + begin + " in: " + text);
      }
      return text.substring(from + begin.length(), to);
    }
  }
}
