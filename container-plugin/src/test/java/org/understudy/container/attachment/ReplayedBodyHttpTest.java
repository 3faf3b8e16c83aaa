package org.understudy.container.attachment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/** Filters of the application that pass on a body in a stream of their own, as those do that log, check or change it. */
class ReplayedBodyHttpTest {
  @TempDir Path directory;

  /** What a filter makes of a request. */
  private enum Kind {
    /** Only what the class requires. */
    IDLE_LISTENER,
    /** As {@link #IDLE_LISTENER}, but throws in place of ignoring a listener. */
    THROWING_LISTENER,
    /** A new stream for each call. */
    NEW_STREAMS,
    /** The container's stream, in a wrapper that keeps what was read, as Spring's ContentCachingRequestWrapper. */
    CACHING,
    /** Read by its reader, and passed on as a stream. */
    FROM_READER,
    /** Read by its reader, and passed on by a reader only. */
    READER_ONLY,
    /** Longer than the client has announced. */
    LONGER,
    /** Shorter than the client has announced. */
    SHORTER,
    /** Only a wrapper; the stream is the container's. */
    SAME_STREAM
  }

  @BeforeEach
  void count() {
    Ledger.EXECUTIONS.set(0);
  }

  private static class Stream extends ServletInputStream {
    private final InputStream bytes;
    private final boolean throwing;
    private boolean finished;

    Stream(InputStream bytes, boolean throwing) {
      this.bytes = bytes;
      this.throwing = throwing;
    }

    @Override
    public int read() throws IOException {
      int next = bytes.read();
      finished = next < 0;
      return next;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count = bytes.read(into, offset, length);
      finished = count < 0;
      return count;
    }

    @Override
    public boolean isFinished() {
      return finished;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      if (throwing) {
        throw new UnsupportedOperationException("This stream has no listeners.");
      }
    }
  }

  private static class Wrapper extends HttpServletRequestWrapper {
    private final Kind kind;
    private final byte[] body;
    private ServletInputStream stream;

    Wrapper(HttpServletRequest request, Kind kind) throws IOException {
      super(request);
      this.kind = kind;
      this.body = switch (kind) {
        case SAME_STREAM, CACHING -> null;
        case FROM_READER, READER_ONLY -> text(request).getBytes(StandardCharsets.UTF_8);
        default -> request.getInputStream().readAllBytes();
      };
    }

    private static String text(HttpServletRequest request) throws IOException {
      StringWriter text = new StringWriter();
      request.getReader().transferTo(text);
      return text.toString();
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      if (kind == Kind.SAME_STREAM || kind == Kind.READER_ONLY) {
        return super.getInputStream();
      }
      if (stream == null || kind == Kind.NEW_STREAMS) {
        InputStream source = kind == Kind.CACHING ? new Cache(super.getInputStream()) : new ByteArrayInputStream(changed());
        stream = new Stream(source, kind == Kind.THROWING_LISTENER);
      }
      return stream;
    }

    private byte[] changed() {
      String text = new String(body, StandardCharsets.UTF_8);
      return switch (kind) {
        case LONGER -> text.replace("<line>", "<line>" + "long".repeat(5_000)).getBytes(StandardCharsets.UTF_8);
        case SHORTER -> text.replaceAll("<!--.*?-->", "").getBytes(StandardCharsets.UTF_8);
        default -> body;
      };
    }

    @Override
    public BufferedReader getReader() throws IOException {
      return kind == Kind.READER_ONLY ? new BufferedReader(new StringReader(new String(body, StandardCharsets.UTF_8))) : super.getReader();
    }
  }

  private static final class Cache extends InputStream {
    private final InputStream source;
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();

    Cache(InputStream source) {
      this.source = source;
    }

    @Override
    public int read() throws IOException {
      int next = source.read();
      if (next >= 0) {
        read.write(next);
      }
      return next;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count = source.read(into, offset, length);
      read.write(into, offset, Math.max(0, count));
      return count;
    }
  }

  /** The header Kind of a request selects what becomes of it. */
  private static void replay(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
    String kind = ((HttpServletRequest) request).getHeader("Kind");
    chain.doFilter(kind == null ? request : new Wrapper((HttpServletRequest) request, Kind.valueOf(kind)), response);
  }

  private static void broken(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
    chain.doFilter(new HttpServletRequestWrapper((HttpServletRequest) request) {
      @Override
      public ServletInputStream getInputStream() {
        return new Stream(InputStream.nullInputStream(), false) {
          @Override
          public int read() throws IOException {
            throw new IOException("secret");
          }

          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            return read();
          }
        };
      }
    }, response);
  }

  private static void publish(Bus bus) {
    new EndpointImpl(bus, new Ledger("Ann")).publish("/ledger");
  }

  private static String add(String line) {
    return envelope("", "<l:add xmlns:l=\"urn:ledger\"><!-- a note of some length --><line>" + line + "</line></l:add>");
  }

  private static Answer post(TestCluster site, Kind kind, String envelope) {
    return site.post(
        1, "/soap/ledger", envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8", "Kind", kind.name());
  }

  @Test
  void aBodyThatAFilterPassesOnIsReadAtOnce() throws Exception {
    OwnServlet application = new OwnServlet(ReplayedBodyHttpTest::publish, ReplayedBodyHttpTest::replay, true);
    // A request that waited for its body would wait for this time.
    Map<String, String> patient = Map.of("understudy.request.body.ms", "600000");
    try (TestCluster site = new TestCluster(directory, application, 1, patient)) {
      StringBuilder lines = new StringBuilder();
      for (Kind kind : Kind.values()) {
        String line = "é" + kind;
        lines.append(kind == Kind.LONGER ? "long".repeat(5_000) : "").append(line);
        Answer answer = post(site, kind, add(line));
        assertEquals(200, answer.status(), () -> kind + ": " + answer.text());
        assertEquals("Ann:" + lines, answer.between("<return>", "</return>"), kind.name());
      }
      assertEquals(Kind.values().length, Ledger.EXECUTIONS.get());
    }
  }

  @Test
  void aChunkedBodyThatComesInPiecesIsReadToItsEnd() throws Exception {
    OwnServlet application = new OwnServlet(ReplayedBodyHttpTest::publish, ReplayedBodyHttpTest::replay, true);
    try (TestCluster site = new TestCluster(directory, application, 1, Map.of())) {
      for (Kind kind : List.of(Kind.IDLE_LISTENER, Kind.CACHING, Kind.SAME_STREAM)) {
        try (Socket socket = new Socket("127.0.0.1", site.port(1))) {
          send(socket, "POST /app/soap/ledger HTTP/1.1\r\nHost: any\r\nConnection: close\r\nContent-Type: text/xml; charset=UTF-8\r\n"
              + "Transfer-Encoding: chunked\r\nKind: " + kind + "\r\n\r\n");
          String text = add("a");
          for (int i = 0; i < text.length(); i += 97) {
            String piece = text.substring(i, Math.min(text.length(), i + 97));
            send(socket, Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n");
          }
          send(socket, "0\r\n\r\n");
          assertEquals("HTTP/1.1 200", new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII), kind.name());
        }
      }
      assertEquals(3, Ledger.EXECUTIONS.get());
    }
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  @Test
  void limitsOfABodyApplyToWhatTheFilterPassesOn() throws Exception {
    OwnServlet application = new OwnServlet(ReplayedBodyHttpTest::publish, ReplayedBodyHttpTest::replay, true);
    try (TestCluster site = new TestCluster(directory, application, 1, Map.of("understudy.request.bytes", "16384"))) {
      UnaryOperator<String> answered = line -> post(site, Kind.LONGER, add(line)).text();
      assertTrue(answered.apply("a").contains("The request is larger than 16384 bytes"), answered.apply("a"));
      assertEquals(200, post(site, Kind.SHORTER, add("b")).status());
      assertEquals(1, Ledger.EXECUTIONS.get());
      assertTrue(site.health(1, "live").body().contains("\"heldBytes\":0,"), site.health(1, "live").body());
    }
  }

  @Test
  void aStreamThatFailsIsAnsweredWithAFault() throws Exception {
    OwnServlet application = new OwnServlet(ReplayedBodyHttpTest::publish, ReplayedBodyHttpTest::broken, true);
    try (TestCluster site = new TestCluster(directory, application, 1, Map.of())) {
      Answer answer = post(site, Kind.IDLE_LISTENER, add("a"));
      assertEquals(500, answer.status());
      assertTrue(answer.text().contains("a filter of the web application passes on: java.io.IOException"), answer.text());
      assertTrue(!answer.text().contains("secret"), answer.text());
      assertEquals(0, Ledger.EXECUTIONS.get());
    }
  }
}
