package org.understudy.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A replica that speaks HTTP and does as its script says. */
final class FakeReplica implements AutoCloseable {
  final int id;
  final URI address;
  /** Calls of the application, in the order of arrival. */
  final List<Received> calls = new CopyOnWriteArrayList<>();
  /** Session and failover operations. */
  final List<Received> sessionCalls = new CopyOnWriteArrayList<>();
  volatile Function<Received, Reaction> script;
  private final FakeGroup group;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
    Thread thread = new Thread(task, "fake-replica");
    thread.setDaemon(true);
    return thread;
  });

  /** @param tls null for plain HTTP */
  FakeReplica(FakeGroup group, int id, HttpsConfigurator tls) {
    try {
      this.group = group;
      this.id = id;
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      this.server = tls == null ? HttpServer.create(any, 200) : HttpsServer.create(any, 200);
      if (server instanceof HttpsServer https) {
        https.setHttpsConfigurator(tls);
      }
      String scheme = tls == null ? "http" : "https";
      this.address = URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort() + "/counter/services/CounterService");
      this.script = call -> group.serve(this, call);
      server.createContext("/", this::handle);
      server.setExecutor(threads);
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void handle(HttpExchange http) throws IOException {
    String envelope = new String(http.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Received call = new Received(
        http.getRequestURI().getPath(), http.getRequestURI().getRawQuery(), http.getRequestHeaders(), envelope);
    Reaction reaction;
    if (String.valueOf(http.getRequestHeaders().getFirst("SOAPAction")).contains("urn:understudy:replication:1/")) {
      sessionCalls.add(call);
      reaction = group.serveSession(this, call);
    } else {
      calls.add(call);
      group.signal();
      reaction = script.apply(call);
    }
    if (reaction instanceof Reaction.Say say) {
      byte[] bytes = say.content().getBytes(StandardCharsets.UTF_8);
      http.getResponseHeaders().set("Content-Type", say.contentType());
      if (say.header() != null) {
        http.getResponseHeaders().set(say.header(), say.value());
      }
      http.sendResponseHeaders(say.status(), bytes.length == 0 ? -1 : bytes.length);
      http.getResponseBody().write(bytes);
    } else if (reaction instanceof Reaction.Hang) {
      group.awaitEnd();
    }
    http.close();
  }

  /** As {@code kill -9}: the port refuses and open connections break. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
