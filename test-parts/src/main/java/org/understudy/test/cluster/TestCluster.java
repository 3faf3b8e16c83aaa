package org.understudy.test.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.Engine;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Loader;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;
import org.understudy.test.strategy.Strategies;

/** The replicas of a group in this process, each in a Tomcat of its own, and a plain HTTP client. */
public class TestCluster implements AutoCloseable {
  /** Replaced whenever a replica starts or stops: kept connections may lead to a stopped replica. */
  private volatile HttpClient http = client();

  private static final Pattern MEMBERS = Pattern.compile("\"members\":\\[([\\d, ]+)\\]");

  /** A strong reference, because a garbage-collected logger loses its level. */
  private static final List<Logger> QUIET =
      Stream.of("org.apache.cxf", "org.apache.catalina", "org.apache.coyote", "org.apache.tomcat", "org.understudy")
          .map(Logger::getLogger)
          .toList();

  static {
    QUIET.forEach(logger -> logger.setLevel(Level.OFF));
  }

  private final Map<Integer, Tomcat> tomcats = new TreeMap<>();
  private final Map<Integer, Context> contexts = new TreeMap<>();
  private final Map<Integer, Integer> ports = new TreeMap<>();
  private final Path directory;
  private final WebApplication application;
  private final Properties settings = new Properties();
  /** Of the applications of stopped replicas. */
  private final List<ClassLoader> stopped = new ArrayList<>();
  private volatile boolean disturbed;
  private volatile int server;

  /**
   * Starts a group and waits until every replica is ready.
   *
   * @param directory for the data, settings and Tomcats of all replicas
   * @param replicas one runs without replication
   * @param more settings beyond those that every replica needs; an empty value takes one of those away
   */
  public TestCluster(Path directory, WebApplication application, int replicas, Map<String, String> more) throws Exception {
    this.directory = directory;
    this.application = application;
    StringBuilder urls = new StringBuilder();
    StringBuilder peers = new StringBuilder();
    for (int i = 1; i <= replicas; i++) {
      ports.put(i, FreePorts.next());
      urls.append(i == 1 ? "" : ",").append(i).append("=http://127.0.0.1:").append(ports.get(i)).append(application.path());
      peers.append(i == 1 ? "" : ",").append(i).append("=127.0.0.1:").append(FreePorts.next());
    }
    settings.setProperty("understudy.replicas", urls.toString());
    settings.setProperty("understudy.peers", peers.toString());
    settings.setProperty("understudy.secret", "a secret for the tests");
    settings.setProperty("understudy.strategy", replicas == 1 ? "none" : Strategies.current());
    settings.putAll(more);
    SuspicionTime.addTo(settings);
    settings.values().removeIf(""::equals);
    try {
      for (int i = 1; i <= replicas; i++) {
        start(i);
      }
      for (int i = 1; i <= replicas; i++) {
        awaitReady(i);
      }
    } catch (Exception | AssertionError e) {
      stopAll();
      throw e;
    }
    disturbed = false;
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

  /** Starts a replica whose settings differ; an empty value takes one away. */
  public void start(int number, Map<String, String> different) throws Exception {
    start(number, different, () -> {});
  }

  private void start(int number, Map<String, String> different, Runnable beforeConnector) throws Exception {
    disturbed = true;
    http = client();
    Properties own = new Properties();
    own.putAll(settings);
    own.putAll(different);
    own.values().removeIf(""::equals);
    own.setProperty("understudy.replica", Integer.toString(number));
    own.setProperty("understudy.directory", directory.resolve("data-" + number).toString());
    Path file = directory.resolve("understudy-" + number + ".properties");
    try (var writer = Files.newBufferedWriter(file)) {
      own.store(writer, null);
    }
    Tomcat tomcat = new Tomcat();
    Path base = Files.createDirectories(directory.resolve("tomcat-" + number));
    tomcat.setBaseDir(base.toString());
    Connector connector = ServerXml.connector();
    connector.setProperty("address", "127.0.0.1");
    connector.setPort(ports.get(number));
    connector.setProperty("maxThreads", "64");
    tomcat.setConnector(connector);
    connector.addLifecycleListener(event -> {
      if (event.getType().equals(Lifecycle.BEFORE_START_EVENT)) {
        beforeConnector.run();
      }
    });
    Context context = application.addTo(tomcat, base);
    context.addParameter("understudy.config", file.toString());
    tomcat.start();
    tomcats.put(number, tomcat);
    contexts.put(number, context);
    if (!context.getState().isAvailable() || context.findFilterDef("understudy-failed-start") != null) {
      stop(number);
      throw new IllegalStateException("The web application does not start.");
    }
  }

  /** Stops a replica and removes its Tomcat. */
  public void stop(int number) throws LifecycleException {
    disturbed = true;
    Tomcat tomcat = tomcats.remove(number);
    Loader loader = contexts.remove(number).getLoader();
    // None of an application that the test has stopped itself.
    if (loader != null && loader.getClassLoader() != null) {
      stopped.add(loader.getClassLoader());
    }
    tomcat.stop();
    tomcat.destroy();
    http = client();
  }

  /** True when a replica was stopped or started since the group was up. */
  protected final boolean disturbed() {
    return disturbed;
  }

  /** Waits until a replica is ready. */
  public void awaitReady(int number) {
    Condition.await("replica " + number + " to be ready", () -> health(number, "ready").statusCode() == 200);
  }

  /** The web application of a replica that runs. */
  public Context context(int number) {
    return contexts.get(number);
  }

  /** Returns how many threads of a replica's Tomcat work for a request. A request that waits without a thread is not among them. */
  public int busyThreads(int number) {
    Engine engine = (Engine) contexts.get(number).getParent().getParent();
    Executor workers = engine.getService().findConnectors()[0].getProtocolHandler().getExecutor();
    return ((ThreadPoolExecutor) workers).getActiveCount();
  }

  /** Waits for a primary and returns its number; where several replicas execute updates, the first of them. */
  public int primary() {
    int[] found = new int[1];
    Condition.await("a primary", () -> {
      found[0] = tomcats.keySet().stream().filter(this::executesUpdates).findFirst().orElse(0);
      return found[0] != 0;
    });
    return found[0];
  }

  /** Waits until a replica executes updates and returns it; where several do, another one at each call. */
  public int nextServer() {
    int last = server;
    Condition.await("a replica that executes updates", () -> {
      List<Integer> servers = tomcats.keySet().stream().filter(this::executesUpdates).toList();
      server = servers.stream().filter(number -> number > last).findFirst().orElse(servers.isEmpty() ? last : servers.get(0));
      return !servers.isEmpty();
    });
    return server;
  }

  /** Whether a replica that runs executes updates, in a view without the stopped ones where several do. */
  public boolean executesUpdates(int number) {
    HttpResponse<String> health = health(number, "writable");
    if (health.statusCode() != 200 || !health.body().contains("\"strategy\":\"group\"")) {
      return health.statusCode() == 200;
    }
    Matcher members = MEMBERS.matcher(health.body());
    return !members.find()
        || Stream.of(members.group(1).split(", *")).allMatch(member -> tomcats.containsKey(Integer.valueOf(member)));
  }

  /** Whether several replicas execute updates, so that each executes the requests that it receives. */
  public boolean hasSeveralServers() {
    return "group".equals(setting("understudy.strategy"));
  }

  /**
   * Fails unless each of so many requests has run once, or none has run. Where several replicas execute, a run may have been
   * undone and repeated: then the test looks at what the runs have changed.
   */
  public void assertRuns(int requests, int runs) {
    if (runs < requests || (runs > requests && (requests == 0 || !hasSeveralServers()))) {
      throw new AssertionError(requests + " requests ran " + runs + " times.");
    }
  }

  private static HttpClient client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  /** Returns a replica that is not {@link #primary}. */
  public int backup() {
    int primary = primary();
    return tomcats.keySet().stream().filter(i -> i != primary).findFirst().orElseThrow();
  }

  /** @param which {@code live}, {@code ready} or {@code writable} */
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

  /** @param path within the web application */
  public URI uri(int number, String path) {
    return URI.create("http://127.0.0.1:" + ports.get(number) + application.path() + path);
  }

  public int port(int number) {
    return ports.get(number);
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

  /** Posts and waits for the answer; {@code path} is one within the web application, or a whole URL. */
  public Answer post(int number, String path, byte[] body, String... typeAndHeaders) {
    return postLater(number, path, body, typeAndHeaders).orTimeout(30, TimeUnit.SECONDS).join();
  }

  /**
   * Posts without waiting.
   *
   * @param path within the web application, or a whole URL
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
          String reason = answer.headers().firstValue("Understudy-Reason").orElse("");
          return new Answer(answer.statusCode(), answer.body(), reason);
        });
  }

  /**
   * Posts XML whose body comes when the replica waits for it, so that a later dispatch of the request executes it. No other request
   * may be in progress at the replica.
   *
   * @return the whole answer, with its status line and headers
   */
  public String postLate(int number, String path, byte[] body) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", ports.get(number))) {
      String head = "POST " + application.path() + path + " HTTP/1.1\r\nHost: any\r\nConnection: close\r\nContent-Type: text/xml\r\n"
          + "Content-Length: " + body.length + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      Condition.await("a request to wait", () -> health(number, "live").body().matches("(?s).*\"heldBytes\":[1-9].*"));
      socket.getOutputStream().write(body);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Stops all replicas; a thread that an application leaves behind fails the test. */
  @Override
  public void close() throws LifecycleException {
    stopAll();
    for (ClassLoader application : stopped) {
      Condition.await(
          () -> "the end of the application's threads " + WebArchive.threads(application),
          () -> WebArchive.threads(application).isEmpty());
    }
  }

  /** Stops all replicas. */
  protected final void stopAll() throws LifecycleException {
    for (Integer number : tomcats.keySet().toArray(new Integer[0])) {
      stop(number);
    }
  }
}
