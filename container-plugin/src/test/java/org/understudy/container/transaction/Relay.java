package org.understudy.container.transaction;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.understudy.test.cluster.Answer;

/** Passes messages to a group, or loses those of some kinds. */
final class Relay implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile Function<byte[], Answer> target;
  private volatile Set<PeerMessage.Kind> lost = Set.of();
  private volatile String part;
  /** Of one kind, about these transactions. */
  private final Set<String> lostOf = ConcurrentHashMap.newKeySet();

  Relay() throws IOException {
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

  void lose(PeerMessage.Kind... kinds) {
    lost = kinds.length == 0 ? Set.of() : EnumSet.copyOf(Set.of(kinds));
  }

  /** Loses the messages of one kind about one transaction, or passes them again. */
  void lose(PeerMessage.Kind kind, String transaction, boolean on) {
    if (on) {
      lostOf.add(kind + " " + transaction);
    } else {
      lostOf.remove(kind + " " + transaction);
    }
  }

  /** The part that the last message names. */
  String part() {
    return part;
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] message = exchange.getRequestBody().readAllBytes();
      String text = new String(message, StandardCharsets.UTF_8);
      String[] words = text.substring(text.indexOf("<ur:Content>") + 12, text.indexOf("</ur:Content>")).split(" ");
      part = words[5];
      if (lost.contains(PeerMessage.Kind.valueOf(words[0])) || lostOf.contains(words[0] + " " + words[4])) {
        exchange.sendResponseHeaders(503, -1);
        return;
      }
      Answer answer = target.apply(message);
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
