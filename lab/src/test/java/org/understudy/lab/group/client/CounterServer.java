package org.understudy.lab.group.client;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.thread.DaemonThreads;

/** A server of counters without a container, which keeps its connections, and closes them when the test lets it. */
public final class CounterServer implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("Content-Length: (\\d+)");

  private final ServerSocket server = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  /** The envelopes of all requests. */
  public final List<String> received = new CopyOnWriteArrayList<>();
  /** Requests that get no answer: the connection ends. */
  public volatile Predicate<String> unanswered = envelope -> false;
  /** What updates are answered with, and the status 500; empty to execute them. */
  public volatile String fault = "";
  private final AtomicInteger accepted = new AtomicInteger();

  public CounterServer() throws IOException {
    DaemonThreads.daemon("counter-server", this::accept).start();
  }

  public URI service() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/counter");
  }

  /** The connections that are open at this end. */
  public int connections() {
    return open.size();
  }

  /** All connections up to now. */
  public int accepted() {
    return accepted.get();
  }

  /** As a server does with those that are idle for too long. */
  public void closeConnections() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
  }

  public long adds() {
    return received.stream().filter(envelope -> envelope.contains("<add ")).count();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        open.add(socket);
        accepted.incrementAndGet();
        DaemonThreads.daemon("counter-connection", () -> serve(socket)).start();
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (String head = head(in); !head.isEmpty(); head = head(in)) {
        Matcher length = LENGTH.matcher(head);
        String envelope = new String(in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0), StandardCharsets.UTF_8);
        received.add(envelope);
        if (unanswered.test(envelope)) {
          return;
        }
        boolean faulty = !fault.isEmpty() && envelope.contains("<add ");
        String executed = "<ur:Session>0a</ur:Session><ur:VersionHandle>2.7</ur:VersionHandle><Address>http://any/counter/7</Address>"
            + "<addResponse xmlns=\"http://counter.com\"><total>1</total></addResponse>";
        String body = faulty ? fault : executed;
        boolean last = head.contains("Connection: close");
        String close = last ? "Connection: close\r\n" : "";
        String answer = "HTTP/1.1 " + (faulty ? 500 : 200) + " \r\n" + close + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        if (last) {
          return;
        }
      }
    } catch (IOException e) {
      // The client or the test has closed it.
    } finally {
      open.remove(socket);
    }
  }

  /** Empty at the end of the connection. */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return "";
      }
      head.append((char) next);
    }
    return head.toString();
  }

  @Override
  public void close() throws IOException {
    server.close();
    closeConnections();
  }
}
