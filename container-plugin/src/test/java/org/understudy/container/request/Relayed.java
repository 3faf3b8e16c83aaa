package org.understudy.container.request;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.understudy.container.ServiceCluster;

/**
 * A request to a replica that a test has between it and its sender.
 *
 * @param ofReplica whether another replica forwards it
 */
record Relayed(HttpExchange exchange, HttpRequest request, boolean ofReplica) {
  private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final List<String> PASSED =
      List.of("Content-Type", "SOAPAction", "Understudy-Caller", "Understudy-Disposition", "Understudy-Instance");

  /** Reads a request to the end. */
  static Relayed of(HttpExchange exchange, ServiceCluster site, int replica) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    URI to = site.uri(replica, exchange.getRequestURI().toString().substring("/app".length()));
    HttpRequest.Builder request = HttpRequest.newBuilder(to)
        .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
    exchange.getRequestHeaders().forEach((name, values) -> {
      if (isPassed(name)) {
        values.forEach(value -> request.header(name, value));
      }
    });
    return new Relayed(exchange, request.build(), exchange.getRequestHeaders().containsKey("Understudy-Caller"));
  }

  private static boolean isPassed(String header) {
    return PASSED.stream().anyMatch(header::equalsIgnoreCase);
  }

  /** Sends it to the replica, and returns the answer, which the sender does not have yet. */
  HttpResponse<byte[]> send() throws IOException {
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Gives an answer to the sender. */
  void answer(HttpResponse<byte[]> answer) throws IOException {
    answer.headers().map().forEach((name, values) -> {
      if (isPassed(name)) {
        exchange.getResponseHeaders().put(name, values);
      }
    });
    exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
    exchange.getResponseBody().write(answer.body());
  }
}
