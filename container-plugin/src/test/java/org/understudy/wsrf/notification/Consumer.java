package org.understudy.wsrf.notification;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** A consumer that notes down what it is sent. */
public final class Consumer implements AutoCloseable {
  private static final Pattern VALUE = Pattern.compile("NewValues><[^>]*Level[^>]*>(\\d+)<");
  private static final Pattern ID = Pattern.compile("MessageID>([^<]+)<");

  private final HttpServer server;
  private final List<String> heard = new ArrayList<>();
  private int status = 202;
  private boolean held;

  public Consumer() throws Exception {
    this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
  }

  /** One that speaks https. */
  public Consumer(SSLContext tls) throws Exception {
    this(secure(tls));
  }

  private static HttpServer secure(SSLContext tls) throws Exception {
    HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  private Consumer(HttpServer server) {
    this.server = server;
    server.createContext(
        "/",
        exchange -> {
          String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          int answer;
          synchronized (heard) {
            heard.add(text);
            awaitRelease();
            answer = status;
          }
          exchange.sendResponseHeaders(answer, -1);
          exchange.close();
        });
    server.start();
  }

  public String address() {
    return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** From now on nobody gets an answer, until {@link #release}. */
  public void hold() {
    synchronized (heard) {
      held = true;
    }
  }

  public void release() {
    synchronized (heard) {
      held = false;
      heard.notifyAll();
    }
  }

  private void awaitRelease() {
    synchronized (heard) {
      try {
        while (held) {
          heard.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** From now on. */
  public void answer(int code) {
    synchronized (heard) {
      status = code;
    }
  }

  public List<String> heard() {
    synchronized (heard) {
      return List.copyOf(heard);
    }
  }

  /** The levels that were told, in their order; a message that came again under the same id counts once. */
  public List<Integer> levels() {
    List<String> ids = new ArrayList<>();
    List<Integer> levels = new ArrayList<>();
    for (String message : heard()) {
      Matcher id = ID.matcher(message);
      Matcher value = VALUE.matcher(message);
      if (id.find() && value.find() && !ids.contains(id.group(1))) {
        ids.add(id.group(1));
        levels.add(Integer.valueOf(value.group(1)));
      }
    }
    return levels;
  }

  @Override
  public void close() {
    release();
    server.stop(0);
  }
}
