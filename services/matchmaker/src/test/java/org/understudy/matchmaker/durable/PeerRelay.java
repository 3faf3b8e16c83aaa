package org.understudy.matchmaker.durable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.understudy.test.cluster.Answer;

/** Passes the messages between groups of a transaction to one group, or loses those of some kinds. */
final class PeerRelay implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile Function<byte[], Answer> target;
  private volatile Set<String> lost = Set.of();

  PeerRelay() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::pass);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  void to(Function<byte[], Answer> group) {
    target = group;
  }

  /** @param kinds of messages, or {@code answer to} and one */
  void lose(String... kinds) {
    lost = Set.of(kinds);
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] message = exchange.getRequestBody().readAllBytes();
      String text = new String(message, StandardCharsets.UTF_8);
      String content = text.substring(text.indexOf("<ur:Content>") + 12, text.indexOf("</ur:Content>"));
      String kind = content.substring(0, content.indexOf(' '));
      Answer answer = lost.contains(kind) ? null : target.apply(message);
      if (answer == null || lost.contains("answer to " + kind)) {
        exchange.sendResponseHeaders(503, -1);
        return;
      }
      byte[] body = answer.text().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
