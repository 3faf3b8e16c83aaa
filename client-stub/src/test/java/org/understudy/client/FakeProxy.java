package org.understudy.client;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP proxy that forwards requests and opens tunnels, for those who have its credentials; also one of SOCKS 5. */
final class FakeProxy implements AutoCloseable {
  /** The heads of the first request of each connection. */
  final List<String> heads = new CopyOnWriteArrayList<>();
  private final ServerSocket server;
  private final String authorization;
  private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
    Thread thread = new Thread(task, "fake-proxy");
    thread.setDaemon(true);
    return thread;
  });

  /** @param authorization the required Proxy-Authorization; null for none */
  FakeProxy(String authorization) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.authorization = authorization;
    threads.execute(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        threads.execute(() -> serve(client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket client) {
    try (client) {
      int first = client.getInputStream().read();
      if (first == 5) {
        socks(client, new DataInputStream(client.getInputStream()));
        return;
      }
      String head = (char) first + head(client.getInputStream());
      heads.add(head);
      if (authorization != null && !head.contains("Proxy-Authorization: " + authorization)) {
        write(client, "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n");
        return;
      }
      boolean isTunnel = head.startsWith("CONNECT ");
      String target = head.split(" ")[1].replaceFirst("^http://", "").replaceFirst("/.*", "");
      try (Socket replica = new Socket(target.split(":")[0], Integer.parseInt(target.split(":")[1]))) {
        if (isTunnel) {
          write(client, "HTTP/1.1 200 OK\r\n\r\n");
        } else {
          write(replica, head);
        }
        threads.execute(() -> pass(replica, client));
        client.getInputStream().transferTo(replica.getOutputStream());
      }
    } catch (IOException e) {
      // One of them has closed the connection.
    }
  }

  /** RFC 1928, without authentication, to an IPv4 address. */
  private void socks(Socket client, DataInputStream in) throws IOException {
    in.readNBytes(in.readUnsignedByte());
    client.getOutputStream().write(new byte[] {5, 0});
    in.readNBytes(4);
    InetAddress address = InetAddress.getByAddress(in.readNBytes(4));
    try (Socket replica = new Socket(address, in.readUnsignedShort())) {
      heads.add("SOCKS " + replica.getPort());
      client.getOutputStream().write(new byte[] {5, 0, 0, 1, 0, 0, 0, 0, 0, 0});
      threads.execute(() -> pass(replica, client));
      client.getInputStream().transferTo(replica.getOutputStream());
    }
  }

  private static void pass(Socket from, Socket to) {
    try (to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One of them has closed the connection.
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("The connection ended within the head.");
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}
