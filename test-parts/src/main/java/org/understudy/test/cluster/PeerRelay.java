package org.understudy.test.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Passes the messages between groups of a transaction to one group, or loses those of some kinds. */
public final class PeerRelay implements AutoCloseable {
  private static final String BEGIN = "<ur:Content>";
  private static final String END = "</ur:Content>";
  /** Places among the words of a message. */
  private static final int KIND = 0;
  private static final int TRANSACTION = 4;
  private static final int PART = 5;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile Function<byte[], Answer> target;
  private volatile Set<String> lost = Set.of();
  private volatile String part;
  /** Of one kind, about these transactions. */
  private final Set<String> lostOf = ConcurrentHashMap.newKeySet();

  /** Listens at a free port. */
  public PeerRelay() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::pass);
    server.start();
  }

  /** What the other groups have as the address of this one. */
  public String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** @param group posts a message to its primary */
  public void to(Function<byte[], Answer> group) {
    target = group;
  }

  /**
   * Loses messages of these kinds from now on, and passes all others.
   *
   * @param kinds a kind of message, as it is written, or {@code answer to} and one
   */
  public void lose(Object... kinds) {
    lost = Stream.of(kinds).map(Object::toString).collect(Collectors.toUnmodifiableSet());
  }

  /** Loses the messages of one kind about one transaction, or passes them again. */
  public void lose(Object kind, String transaction, boolean on) {
    if (on) {
      lostOf.add(kind + " " + transaction);
    } else {
      lostOf.remove(kind + " " + transaction);
    }
  }

  /** The part that the last message names. */
  public String part() {
    return part;
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] message = exchange.getRequestBody().readAllBytes();
      String text = new String(message, StandardCharsets.UTF_8);
      String[] words = text.substring(text.indexOf(BEGIN) + BEGIN.length(), text.indexOf(END)).split(" ");
      part = words[PART];
      boolean passes = !lost.contains(words[KIND]) && !lostOf.contains(words[KIND] + " " + words[TRANSACTION]);
      Answer answer = passes ? target.apply(message) : null;
      if (answer == null || lost.contains("answer to " + words[KIND])) {
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
