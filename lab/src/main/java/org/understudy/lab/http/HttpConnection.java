package org.understudy.lab.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A kept connection for requests, one after another. It costs a few microseconds a request, because clients and
 * replicas share the processors: a client of CXF costs more than a replica. Not thread-safe; blocks.
 */
public final class HttpConnection implements AutoCloseable {
  private static final int CONNECT_MS = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int MAX_HEAD = 16 << 10;

  private final URI server;
  private final Supplier<Socket> sockets;
  private Socket socket;
  private InputStream in;

  /** Connects to the host and port of the server with the first request. */
  public HttpConnection(URI server) {
    this(server, Socket::new);
  }

  /** @param sockets makes a socket that is not connected */
  HttpConnection(URI server, Supplier<Socket> sockets) {
    this.server = server;
    this.sockets = sockets;
  }

  /** A response: its status, its head with all fields, and its body. */
  public record Answer(int status, String head, String body) {
    /** The value of a field of the head; empty without it. */
    public String field(String name) {
      List<String> values = fields(name);
      return values.isEmpty() ? "" : values.get(0);
    }

    /** The values of all fields of this name. */
    public List<String> fields(String name) {
      List<String> values = new ArrayList<>(2);
      for (int line = head.indexOf("\r\n") + 2; line < head.length() - 2; line = head.indexOf("\r\n", line) + 2) {
        if (head.regionMatches(true, line, name + ": ", 0, name.length() + 2)) {
          values.add(head.substring(line + name.length() + 2, head.indexOf("\r\n", line)));
        }
      }
      return values;
    }
  }

  /**
   * Sends a SOAP 1.1 request and reads the response.
   *
   * @throws ConnectionRefusedException when the server refuses the connection, or does not accept it in time
   */
  public Answer post(String path, String action, String envelope) throws IOException {
    return send("POST", path, "Content-Type: text/xml; charset=UTF-8\r\nSOAPAction: \"" + action + "\"\r\n",
        envelope.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Sends a request and reads the response, which must have a Content-Length.
   *
   * @param fields of the head, each with its line end
   * @throws ConnectionRefusedException when the server refuses the connection, or does not accept it in time
   */
  public Answer send(String method, String path, String fields, byte[] body) throws IOException {
    connect();
    byte[] head =
        (method + " " + path + " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\n" + fields + "Content-Length: "
                + body.length + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] request = new byte[head.length + body.length];
    System.arraycopy(head, 0, request, 0, head.length);
    System.arraycopy(body, 0, request, head.length, body.length);
    try {
      socket.getOutputStream().write(request);
      Answer answer = read();
      if (answer.field("Connection").equals("close")) {
        close();
      }
      return answer;
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void connect() throws IOException {
    if (socket != null) {
      return;
    }
    Socket fresh = sockets.get();
    try {
      fresh.setTcpNoDelay(true);
      fresh.setSoTimeout((int) LIMIT.toMillis());
      fresh.connect(new InetSocketAddress(server.getHost(), server.getPort()), CONNECT_MS);
      in = new BufferedInputStream(fresh.getInputStream(), 4_096);
    } catch (ConnectException | SocketTimeoutException e) {
      closeQuietly(fresh);
      throw new ConnectionRefusedException("No connection to " + server.getAuthority() + ": " + e.getMessage(), e);
    } catch (IOException e) {
      closeQuietly(fresh);
      throw e;
    }
    socket = fresh;
  }

  private Answer read() throws IOException {
    String head = head();
    Answer empty = new Answer(head.startsWith("HTTP/1.1 ") ? Integer.parseInt(head, 9, 12, 10) : 0, head, "");
    String length = empty.field("Content-Length");
    if (empty.status() == 0 || length.isEmpty()) {
      throw new IOException("Not a response with a Content-Length: " + head);
    }
    byte[] body = in.readNBytes(Integer.parseInt(length));
    return new Answer(empty.status(), head, new String(body, StandardCharsets.UTF_8));
  }

  private String head() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream(512);
    int matched = 0;
    while (matched < 4) {
      int next = in.read();
      if (next < 0 || head.size() > MAX_HEAD) {
        throw new EOFException(server.getAuthority() + " has closed the connection, or its response has a head that is too long.");
      }
      head.write(next);
      boolean expected = next == (matched % 2 == 0 ? '\r' : '\n');
      matched = expected ? matched + 1 : next == '\r' ? 1 : 0;
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  /** Ends the connection. A later request makes another one. */
  @Override
  public void close() {
    if (socket != null) {
      closeQuietly(socket);
      socket = null;
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is lost: no request is in progress, or its failure is reported.
    }
  }
}
