package org.understudy.wsat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cxf.staxutils.StaxUtils;
import org.h2.tools.Server;
import org.understudy.test.Condition;
import org.understudy.test.DatabaseRow;
import org.understudy.test.cluster.SuspicionTime;
import org.understudy.test.network.FreePorts;
import org.understudy.test.process.Program;
import org.w3c.dom.Element;

/** A group of replicas of the service Purse, each a process that is also a coordinator, and its database. */
final class PurseGroup implements AutoCloseable {
  static final String COUNT = "<p:count xmlns:p='urn:purse'/>";
  /** A process that stands still does not answer, and is asked again. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Path directory;
  private final Map<Integer, Integer> ports = new TreeMap<>();
  private final Map<Integer, Program> processes = new TreeMap<>();
  private final String addresses;
  private final String peers;
  private final Server server;
  private final String databases;
  private final String url;

  /** Starts the replicas, which are not ready when this returns. */
  PurseGroup(Path directory, int replicas) throws IOException, SQLException {
    this.directory = directory;
    Map<Integer, String> urls = new TreeMap<>();
    Map<Integer, String> listening = new TreeMap<>();
    for (int i = 1; i <= replicas; i++) {
      ports.put(i, FreePorts.next());
      urls.put(i, i + "=http://127.0.0.1:" + ports.get(i) + "/app");
      listening.put(i, i + "=127.0.0.1:" + FreePorts.next());
    }
    addresses = String.join(",", urls.values());
    peers = String.join(",", listening.values());
    int database = FreePorts.next();
    server = Server.createTcpServer("-tcpPort", Integer.toString(database), "-ifNotExists", "-baseDir", directory.toString()).start();
    databases = "jdbc:h2:tcp://127.0.0.1:" + database + "/./";
    url = database("savings");
    for (int i = 1; i <= replicas; i++) {
      launch(i);
    }
  }

  @Override
  public void close() {
    processes.values().forEach(Program::close);
    server.stop();
  }

  int size() {
    return ports.size();
  }

  String url(int replica) {
    return "http://127.0.0.1:" + ports.get(replica) + "/app";
  }

  /** The address of another database of its server. */
  String database(String name) {
    return databases + name;
  }

  Program process(int replica) {
    return processes.get(replica);
  }

  Path own(int replica) {
    return directory.resolve("replica-" + replica);
  }

  /** Starts a replica again, which is not ready when this returns. */
  void launch(int replica) throws IOException {
    Path own = own(replica);
    Map<String, String> settings = new TreeMap<>();
    settings.put("understudy.service", Purse.class.getName());
    settings.put("understudy.strategy", "primary-backup");
    settings.put("understudy.replica", Integer.toString(replica));
    settings.put("understudy.replicas", addresses);
    settings.put("understudy.peers", peers);
    settings.put("understudy.secret", "a secret for the tests");
    settings.put("understudy.directory", own.resolve("records").toString());
    settings.put("understudy.database.url", url);
    settings.put("understudy.database.user", "sa");
    settings.put("understudy.execution.ms", "1000");
    settings.put("understudy.wsat.timeout.s", "5");
    // Longer than processes of a loaded machine pause.
    settings.put("understudy.suspect.ms", Long.toString(SuspicionTime.OF_TESTS.toMillis()));
    processes.put(replica, WsatServer.process(own, ports.get(replica), "coordinator", settings));
  }

  void awaitAll() {
    for (int i = 1; i <= size(); i++) {
      int replica = i;
      Condition.await("replica " + i + " is ready", () -> health(replica, "ready"));
    }
  }

  private boolean health(int replica, String which) {
    URI uri = URI.create(url(replica) + "/health/" + which);
    try {
      return HTTP.send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  int primary() {
    AtomicInteger found = new AtomicInteger();
    Condition.await("a primary", () -> {
      for (int i = 1; i <= size(); i++) {
        if (health(i, "writable")) {
          found.set(i);
        }
      }
      return found.get() != 0;
    });
    return found.get();
  }

  /** Calls the service at a server, inside a transaction if there is a context. Returns the body of the answer. */
  static String call(String server, Element context, String body) throws Exception {
    String header = context == null ? "" : StaxUtils.toString(context).replaceFirst("^<\\?xml[^>]*>", "");
    return new WsatClient(server).post(server + "/services/Purse", "", header, body).body();
  }

  static String put(String server, Element context, int coins) throws Exception {
    return call(server, context, "<p:put xmlns:p='urn:purse'><coins>" + coins + "</coins></p:put>");
  }

  static String count(String server) throws Exception {
    return call(server, null, COUNT).replaceFirst("(?s).*<return>(\\d+)</return>.*", "$1");
  }

  String call(int replica, Element context, String body) throws Exception {
    return call(url(replica), context, body);
  }

  String put(int replica, Element context, int coins) throws Exception {
    return put(url(replica), context, coins);
  }

  String save(int replica, Element context, int coins) throws Exception {
    return call(replica, context, "<p:save xmlns:p='urn:purse'><coins>" + coins + "</coins></p:save>");
  }

  String count(int replica) throws Exception {
    return count(url(replica));
  }

  private int number(String sql) {
    return Math.toIntExact(DatabaseRow.number(url, sql));
  }

  int saved() {
    return number("SELECT n FROM savings");
  }

  /** No branch is prepared, and no row names one. */
  void awaitNoBranch() {
    Condition.await(
        "the branches have ended",
        () -> number("SELECT (SELECT COUNT(*) FROM understudy_branch) + (SELECT COUNT(*) FROM INFORMATION_SCHEMA.IN_DOUBT)") == 0);
  }
}
