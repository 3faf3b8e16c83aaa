package org.understudy.container.outgoing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.container.Soap;

/** A plain service that takes orders, outside of any group. It answers as the test says, and notes what it got. */
final class Supplier implements AutoCloseable {
  private static final Pattern ID = Pattern.compile("MessageID[^>]*>([^<]*)<");
  private static final Pattern ITEM = Pattern.compile("order[^>]*>([^<]*)</o:order>");

  /** An order as it arrived. */
  record Order(String id, String item, String envelope) {}

  /** An answer; a status of 0 breaks the connection. */
  record Response(int status, String body) {}

  private final List<Order> orders = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final int port;
  private HttpServer server;
  private volatile Function<Order, Response> answers = Supplier::confirm;

  Supplier() throws IOException {
    open(0);
    port = server.getAddress().getPort();
  }

  private void open(int at) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 0);
    server.setExecutor(threads);
    server.createContext("/", this::take);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + port + "/orders";
  }

  /** Nobody listens from now on. */
  void goAway() {
    server.stop(0);
  }

  void comeBack() throws IOException {
    open(port);
  }

  void answer(Function<Order, Response> how) {
    answers = how;
  }

  static Response confirm(Order order) {
    return new Response(200, Soap.envelope("", "<c:confirmed xmlns:c=\"urn:orders\">" + order.item() + "</c:confirmed>"));
  }

  private void take(HttpExchange exchange) throws IOException {
    String envelope = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Order order = new Order(find(ID, envelope), find(ITEM, envelope), envelope);
    Response response = answers.apply(order);
    orders.add(order);
    if (response.status() != 0) {
      byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=UTF-8");
      exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  private static String find(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    return found.find() ? found.group(1) : "";
  }

  /** All that arrived, repetitions too. */
  List<Order> orders() {
    return orders;
  }

  /** The items in the order of their first arrival, each once. */
  List<String> items() {
    return new ArrayList<>(idsByItem().keySet());
  }

  /** The ids under which each item arrived. */
  Map<String, List<String>> idsByItem() {
    Map<String, List<String>> ids = new LinkedHashMap<>();
    for (Order order : orders) {
      List<String> known = ids.computeIfAbsent(order.item(), item -> new ArrayList<>());
      if (!known.contains(order.id())) {
        known.add(order.id());
      }
    }
    return ids;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
