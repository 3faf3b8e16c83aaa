package org.understudy.lab.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
  private static final Duration BETWEEN_PORTS = Duration.ofMillis(100);
  /** The distance of the proxy's address from the attacker's. */
  private static final int PROXY = 9;
  private static final AtomicInteger NEXT = new AtomicInteger();

  /** The same group, attacked from several addresses. One client has a fourth of a limit, so these have three quarters. */
  List<Target> fromThreeAddresses() {
    return List.of(this, from(1), from(2));
  }

  /** Each of three addresses at one replica alone: with one connection each, a client's only request there, of any permitted size. */
  List<Target> ofOneReplicaEach() {
    return fromThreeAddresses().stream().flatMap(Target::replicas).toList();
  }

  private Stream<Target> replicas() {
    return http.stream().map(one -> new Target(from, List.of(one), peers, path));
  }

  /** The same group, as the {@link #proxy} reaches it. */
  List<Target> fromProxy() {
    return List.of(from(PROXY));
  }

  /** The address of a proxy whose {@code X-Forwarded-For} the replicas are to trust. */
  static InetAddress proxy(InetAddress from) {
    return after(from, PROXY);
  }

  private Target from(int distance) {
    return new Target(after(from, distance), http, peers, path);
  }

  private static InetAddress after(InetAddress from, int distance) {
    byte[] address = from.getAddress();
    address[address.length - 1] = (byte) (address[address.length - 1] + distance);
    try {
      return InetAddress.getByAddress(address);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("An address has the length of another one.", e);
    }
  }

  /** Any replica, in turns. */
  InetSocketAddress replica() {
    return http.get(Math.floorMod(NEXT.getAndIncrement(), http.size()));
  }

  Socket connect(InetSocketAddress to) throws IOException {
    Socket socket = new Socket();
    try {
      bind(socket);
      socket.setSoTimeout(TIMEOUT_MS);
      socket.connect(to, TIMEOUT_MS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Binds to any port of the attacker's address. Waits while none is free: the kernel keeps one for a minute after its connection, and a
   * search in vain, again and again, takes the processors from everybody.
   */
  private void bind(Socket socket) throws IOException {
    Deadline deadline = Deadline.in(Duration.ofMillis(TIMEOUT_MS));
    while (true) {
      try {
        socket.bind(new InetSocketAddress(from, 0));
        return;
      } catch (BindException e) {
        if (deadline.passed()) {
          throw e;
        }
      }
      try {
        deadline.pause(BETWEEN_PORTS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("The attack was interrupted.");
      }
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
    return post(path, "text/xml; charset=UTF-8", envelope.getBytes(StandardCharsets.UTF_8), headers);
  }

  /** The bytes of an HTTP POST. */
  byte[] post(String path, String contentType, byte[] body, String... headers) {
    StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nSOAPAction: \"\"\r\n");
    head.append("Content-Type: ").append(contentType).append("\r\nContent-Length: ").append(body.length).append("\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    byte[] bytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = Arrays.copyOf(bytes, bytes.length + body.length);
    System.arraycopy(body, 0, all, bytes.length, body.length);
    return all;
  }

  /** Sends one request over a connection of its own and reads the whole answer. */
  Answer exchange(InetSocketAddress to, byte[] request) throws IOException {
    try (Socket socket = connect(to)) {
      try {
        socket.getOutputStream().write(request);
        socket.shutdownOutput();
      } catch (IOException e) {
        // A replica that rejects a body answers before it has read it, and closes the connection. The answer may be there.
      }
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
    private static final int CHUNK_BYTES = 8_192;
    private static final Pattern CODE = Pattern.compile("ReplicationFault.{0,200}?:Code>(\\w+)<", Pattern.DOTALL);

    static Answer read(InputStream in) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] chunk = new byte[CHUNK_BYTES];
      try {
        for (int read = in.read(chunk); read >= 0 && bytes.size() < MAX_BYTES; read = in.read(chunk)) {
          bytes.write(chunk, 0, read);
        }
      } catch (SocketException e) {
        // Reset by a replica that has not read the whole request. What came before that is its answer.
      }
      String text = bytes.toString(StandardCharsets.UTF_8);
      int status = status(text);
      if (status == 0) {
        throw new IOException("The server closed the connection without an answer.");
      }
      return new Answer(status, text);
    }

    /** The status, with the code of the fault if a replica refuses the request. */
    String outcome() {
      Matcher code = CODE.matcher(body);
      return code.find() ? status + " " + code.group(1) : Integer.toString(status);
    }

    /** The status in the first line of an answer, or 0. */
    static int status(String text) {
      return text.startsWith("HTTP/1.") && text.length() > 12 ? Integer.parseInt(text.substring(9, 12)) : 0;
    }
  }
}
