package org.understudy.lab.attack;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The group under attack, as its attacker reaches it: from an address of its own, so that shares for each address tell the
 * attacker from honest clients.
 *
 * @param from the attacker's address, a loopback one
 * @param http the replicas' HTTP addresses
 * @param peers the addresses where the replicas listen for each other
 * @param path of the counter service at each replica
 */
record Target(InetAddress from, List<InetSocketAddress> http, List<InetSocketAddress> peers, String path) {
  private static final int TIMEOUT_MS = 30_000;
  private static final AtomicInteger NEXT = new AtomicInteger();

  /** Any replica, in turns. */
  InetSocketAddress replica() {
    return http.get(Math.floorMod(NEXT.getAndIncrement(), http.size()));
  }

  Socket connect(InetSocketAddress to) throws IOException {
    Socket socket = new Socket();
    try {
      socket.bind(new InetSocketAddress(from, 0));
      socket.setSoTimeout(TIMEOUT_MS);
      socket.connect(to, TIMEOUT_MS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** A connection that is read without blocking. */
  SocketChannel open(InetSocketAddress to) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.bind(new InetSocketAddress(from, 0));
      channel.socket().connect(to, TIMEOUT_MS);
      channel.configureBlocking(false);
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** The bytes of an HTTP POST of an envelope. */
  byte[] post(String path, String envelope, String... headers) {
    byte[] body = envelope.getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nSOAPAction: \"\"\r\n");
    head.append("Content-Type: text/xml; charset=UTF-8\r\nContent-Length: ").append(body.length).append("\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    byte[] bytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = java.util.Arrays.copyOf(bytes, bytes.length + body.length);
    System.arraycopy(body, 0, all, bytes.length, body.length);
    return all;
  }

  /** Sends one request over a connection of its own and reads the whole answer. */
  Answer exchange(InetSocketAddress to, byte[] request) throws IOException {
    try (Socket socket = connect(to)) {
      socket.getOutputStream().write(request);
      socket.getOutputStream().flush();
      socket.shutdownOutput();
      return Answer.read(socket.getInputStream());
    }
  }

  /**
   * An HTTP answer.
   *
   * @param body with whatever framing it had, up to a megabyte
   */
  record Answer(int status, String body) {
    private static final int MAX_BYTES = 1 << 20;

    static Answer read(InputStream in) throws IOException {
      String text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
      int status = status(text);
      if (status == 0) {
        throw new IOException("The server closed the connection without an answer.");
      }
      return new Answer(status, text);
    }

    /** The status in the first line of an answer, or 0. */
    static int status(String text) {
      return text.startsWith("HTTP/1.") && text.length() > 12 ? Integer.parseInt(text.substring(9, 12)) : 0;
    }
  }
}
