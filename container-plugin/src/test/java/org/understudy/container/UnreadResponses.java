package org.understudy.container;

import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.AbstractProtocol;
import org.understudy.test.Condition;

/** A Tomcat with one servlet, and clients of it that send requests one after the other and read no response. */
public final class UnreadResponses implements AutoCloseable {
  private static final int BUFFER_BYTES = 4_096;
  private static final String WRITER = "org.apache.tomcat.util.net.NioEndpoint$NioSocketWrapper";

  private final Tomcat tomcat = new Tomcat();

  public UnreadResponses(Path directory, HttpServlet servlet) throws LifecycleException {
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
    tomcat.getConnector().setProperty("socket.txBufSize", String.valueOf(BUFFER_BYTES));
    Context context = tomcat.addContext("", directory.toString());
    Wrapper wrapper = Tomcat.addServlet(context, "servlet", servlet);
    wrapper.setAsyncSupported(true);
    wrapper.addMapping("/*");
    tomcat.start();
  }

  /** A client that has one connection. */
  public final class Client implements AutoCloseable {
    private final Socket socket = new Socket();

    public Client() throws IOException {
      socket.setReceiveBufferSize(BUFFER_BYTES);
      socket.setSoTimeout(60_000);
      socket.connect(new InetSocketAddress("127.0.0.1", tomcat.getConnector().getLocalPort()));
    }

    /** Sends requests until the server reads no more, or the connection is closed. */
    public void sendMany(String body) {
      byte[] request = request(body);
      Thread sender = new Thread(() -> {
        try {
          while (true) {
            socket.getOutputStream().write(request);
          }
        } catch (IOException e) {
          // The test has ended.
        }
      });
      sender.setDaemon(true);
      sender.start();
    }

    /** Sends one request and returns the first line of its response. */
    public String call(String body) throws IOException {
      socket.getOutputStream().write(request(body));
      StringBuilder line = new StringBuilder();
      for (int next = socket.getInputStream().read(); next >= 0 && next != '\r'; next = socket.getInputStream().read()) {
        line.append((char) next);
      }
      return line.toString();
    }

    private static byte[] request(String body) {
      return ("POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
          .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /**
   * Waits until a thread waits for a client to read: one of this server, or one that no server has started. Returns what it does, the last
   * call first.
   */
  public Map.Entry<Thread, StackTraceElement[]> awaitBlockedWriter() {
    AtomicReference<Optional<Map.Entry<Thread, StackTraceElement[]>>> found = new AtomicReference<>();
    Condition.await("a thread that waits for a client to read", () -> {
      found.set(blockedWriter());
      return found.get().isPresent();
    });
    return found.get().orElseThrow();
  }

  private Optional<Map.Entry<Thread, StackTraceElement[]>> blockedWriter() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(one -> !isOfOtherServer(one.getKey()) && waitsForClient(one.getValue()))
        .findAny();
  }

  private boolean isOfOtherServer(Thread thread) {
    int server = ((AbstractProtocol<?>) tomcat.getConnector().getProtocolHandler()).getNameIndex();
    return thread.getName().startsWith("http-") && !thread.getName().contains("-auto-" + server + "-");
  }

  private static boolean waitsForClient(StackTraceElement[] stack) {
    return stack.length > 0
        && stack[0].getMethodName().startsWith("wait")
        && Arrays.stream(stack).anyMatch(call -> call.getClassName().equals(WRITER) && call.getMethodName().equals("doWrite"));
  }

  /** Stops the server. Its clients must have been closed before. */
  @Override
  public void close() throws LifecycleException {
    Condition.await("the end of all writes, which a server that has stopped does not notice", () -> blockedWriter().isEmpty());
    tomcat.stop();
    tomcat.destroy();
  }
}
