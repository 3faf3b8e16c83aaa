package org.understudy.notification.servlet;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/** A consumer of notifications that can be told to misbehave. */
final class FakeSink implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> connections = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> types = new LinkedBlockingQueue<>();
  private final CountDownLatch gate;
  private volatile int status = 202;
  private volatile String retryAfter;

  private FakeSink(CountDownLatch gate, SSLContext tls) throws IOException {
    this.gate = gate;
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    if (tls == null) {
      this.server = HttpServer.create(any, 0);
    } else {
      HttpsServer secure = HttpsServer.create(any, 0);
      secure.setHttpsConfigurator(new HttpsConfigurator(tls));
      this.server = secure;
    }
    server.createContext("/sink", this::take);
    server.setExecutor(threads);
    server.start();
  }

  static FakeSink start() throws IOException {
    return new FakeSink(new CountDownLatch(0), null);
  }

  /** One that speaks https. */
  static FakeSink secure(SSLContext tls) throws IOException {
    return new FakeSink(new CountDownLatch(0), tls);
  }

  /** One that takes requests and does not answer before it is closed. */
  static FakeSink stuck() throws IOException {
    return new FakeSink(new CountDownLatch(1), null);
  }

  void answerWith(int code) {
    status = code;
  }

  /** Asks to be left alone for a while, with whatever it answers. */
  void askForPause(String value) {
    retryAfter = value;
  }

  String address() {
    return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:" + server.getAddress().getPort() + "/sink";
  }

  /** The next body; fails when there is none within a generous time. */
  String next() throws InterruptedException {
    String body = bodies.poll(30, TimeUnit.SECONDS);
    if (body == null) {
      throw new AssertionError("No notification within 30 s.");
    }
    return body;
  }

  /** The Content-Type of the next request. */
  String nextType() throws InterruptedException {
    return types.poll(30, TimeUnit.SECONDS);
  }

  boolean isEmpty() {
    return bodies.isEmpty();
  }

  /** How many TCP connections the requests came over. */
  long connections() {
    return connections.stream().distinct().count();
  }

  @Override
  public void close() {
    gate.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void take(HttpExchange exchange) throws IOException {
    types.add(String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")));
    bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    connections.add(exchange.getRemoteAddress().toString());
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (retryAfter != null) {
      exchange.getResponseHeaders().set("Retry-After", retryAfter);
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }
}
