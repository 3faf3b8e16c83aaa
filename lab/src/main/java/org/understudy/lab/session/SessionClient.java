package org.understudy.lab.session;

import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.understudy.lab.http.HttpConnection;

/** One session at one server, with the cookies of a browser. Checks each answer. Not thread-safe; blocks. */
final class SessionClient implements AutoCloseable {
  private static final String PATH = "/sessions/value?";

  private HttpConnection connection;
  private final Content content;
  private final Map<String, String> cookies = new LinkedHashMap<>();
  private int number;

  SessionClient(URI server, Content content) {
    this.connection = new HttpConnection(server);
    this.content = content;
  }

  /**
   * Changes one attribute.
   *
   * @throws IOException when the answer does not show the update before
   */
  void update() throws IOException {
    int next = number + 1;
    String before = send("POST", connection, content.query(next));
    int expected = Math.max(0, next - content.attributes());
    if (!before.equals(Integer.toString(expected))) {
      throw new IOException("Update " + next + " of a session with " + content.label() + " found the value " + before + ", not "
          + expected + ".");
    }
    number = next;
  }

  /** Sends the next requests to another server. */
  void moveTo(URI server) throws IOException {
    connection.close();
    connection = new HttpConnection(server);
  }

  /** Whether another server shows the last update of this session. */
  boolean isShownBy(URI other) throws IOException {
    try (HttpConnection elsewhere = new HttpConnection(other)) {
      return send("GET", elsewhere, content.query(number)).equals(Integer.toString(number));
    }
  }

  /** Whether a server answers a request that uses no session. */
  static boolean isServed(URI server) {
    try (HttpConnection connection = new HttpConnection(server)) {
      return connection.send("GET", PATH + new Content(1, 1).query(0), "", new byte[0]).status() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private String send(String method, HttpConnection to, String query) throws IOException {
    String cookie =
        cookies.isEmpty()
            ? ""
            : cookies.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue())
                .collect(Collectors.joining("; ", "Cookie: ", "\r\n"));
    HttpConnection.Answer answer = to.send(method, PATH + query, cookie, new byte[0]);
    if (answer.status() != 200) {
      throw new IOException("HTTP status " + answer.status() + ": " + answer.body());
    }
    for (String set : answer.fields("Set-Cookie")) {
      String pair = set.split(";", 2)[0];
      int equals = pair.indexOf('=');
      cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return answer.body();
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
