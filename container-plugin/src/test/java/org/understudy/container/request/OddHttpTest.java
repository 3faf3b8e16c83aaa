package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.test.strategy.ForEachStrategy;

/** HTTP as odd and hostile clients speak it. */
@ForEachStrategy
class OddHttpTest {
  private static final String XML = "Content-Type: text/xml\r\n";
  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";
  private static final String ENVELOPE = Soap.envelope("", Soap.notebook("append", "x"));
  private static final byte[] BODY = ENVELOPE.getBytes(StandardCharsets.UTF_8);

  private static ServiceCluster site;
  private static String path;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private String exchange(int replica, byte[] request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", site.port(replica))) {
      socket.setSoTimeout(8_000);
      socket.getOutputStream().write(request);
      socket.getOutputStream().flush();
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      byte[] piece = new byte[8192];
      try {
        int count;
        while ((count = socket.getInputStream().read(piece)) >= 0) {
          answer.write(piece, 0, count);
        }
      } catch (SocketTimeoutException e) {
        answer.writeBytes(bytes("<<TIMEOUT>>"));
      } catch (IOException e) {
        answer.writeBytes(bytes("<<" + e.getMessage() + ">>"));
      }
      return answer.toString(StandardCharsets.ISO_8859_1);
    }
  }

  private byte[] post(String path, String headers, byte[] body) {
    return join(bytes("POST " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + headers + "Content-Length: "
        + body.length + "\r\n\r\n"), body);
  }

  /** @param executions at each replica, the primary and one that forwards */
  private void expect(int status, int executions, String name, byte[] request) throws IOException {
    for (int replica : new int[] {site.primary(), site.backup()}) {
      int before = NotebookService.EXECUTIONS.get();
      String answer = exchange(replica, request);
      assertTrue(answer.startsWith("HTTP/1.1 " + status), name + ": " + answer);
      site.assertRuns(executions, NotebookService.EXECUTIONS.get() - before);
      for (String inside : new String[] {"Exception", "org.apache", "java.", "\tat ", "ExecutionFailed"}) {
        // What Tomcat refuses before any web application has the server's own error page.
        assertFalse(status != 400 && answer.contains(inside), name + ": " + answer);
      }
    }
  }

  private void envelope(int status, int executions, String envelope) throws IOException {
    expect(status, executions, envelope, post(path, XML, envelope.getBytes(StandardCharsets.UTF_8)));
  }

  private static byte[] gzip(byte[] raw) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(raw);
    }
    return out.toByteArray();
  }

  @BeforeEach
  void start() throws Exception {
    site = ServiceCluster.shared(NotebookService.class, 3, Map.of());
    path = "/app" + site.service();
  }

  @AfterEach
  void stop() throws Exception {
    site.close();
  }

  @Test
  void framingFollowsHttp() throws Exception {
    String head = "POST " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + XML;
    byte[] chunk = join(bytes(Integer.toHexString(BODY.length) + ";x=y\r\n"), BODY, bytes("\r\n0\r\n"));
    expect(200, 1, "trailers", join(bytes(head + CHUNKED + "\r\n"), chunk, bytes("Understudy-Forwarded: 1\r\n\r\n")));
    expect(400, 0, "two lengths", join(bytes(head + "Content-Length: 5\r\nContent-Length: 9\r\n\r\n"), BODY));
    expect(400, 0, "negative length", bytes(head + "Content-Length: -5\r\n\r\n"));
    expect(500, 0, "no length", bytes(head + "\r\n"));
    expect(100, 1, "continue", post(path, XML + "Expect: 100-continue\r\n", BODY));
    expect(417, 0, "other expectation", post(path, XML + "Expect: 200-ok\r\n", BODY));
    byte[] open = join(bytes("POST " + path + " HTTP/1.1\r\nHost: a\r\n" + XML + "Content-Length: " + BODY.length + "\r\n\r\n"), BODY);
    expect(200, 2, "pipelined", join(open, post(path, XML, BODY)));
    expect(200, 1, "HTTP/1.0", join(bytes("POST " + path + " HTTP/1.0\r\n" + XML + "Content-Length: " + BODY.length + "\r\n\r\n"), BODY));
    expect(400, 0, "long header", post(path, XML + "X: " + "x".repeat(20_000) + "\r\n", BODY));
    expect(200, 1, "many parameters", post(path + "?" + "a=b&".repeat(1_500), XML, BODY));
    for (String method : new String[] {"HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "post"}) {
      expect(405, 0, method, bytes(method + " " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"));
    }
  }

  @Test
  void bodyLengthFollowsItsHeaders() throws Exception {
    expect(415, 0, "gzip", post(path, XML + "Content-Encoding: gzip\r\n", gzip(BODY)));
    expect(415, 0, "gzip, not true", post(path, XML + "Content-Encoding: gzip\r\n", BODY));
    expect(200, 1, "identity", post(path, XML + "Content-Encoding: identity\r\n", BODY));
    expect(501, 0, "transfer coding", post(path, XML + "Transfer-Encoding: gzip\r\n", gzip(BODY)));
    for (String charset : new String[] {"UTF-16LE", "UTF-16BE", "UTF-16"}) {
      expect(200, 1, charset, post(path, XML, ENVELOPE.getBytes(Charset.forName(charset))));
    }
    for (String charset : new String[] {"utf-16", "utf-7", "\""}) {
      expect(500, 0, charset, post(path, "Content-Type: text/xml; charset=" + charset + "\r\n", BODY));
    }
    for (String declared : new String[] {"version='1.0' encoding='UTF-16'", "version='1.0' encoding='cp037'", "version='1.1'"}) {
      expect(500, 0, declared, post(path, XML, join(bytes("<?xml " + declared + "?>"), BODY)));
    }
    String type = "Content-Type: multipart/related; boundary=x\r\n";
    String part = "--x\r\nContent-Type: text/xml\r\n\r\n" + ENVELOPE + "\r\n";
    expect(200, 1, "one part", post(path, type, bytes(part + "--x--\r\n")));
    expect(500, 0, "many parts", post(path, type, bytes(part + "--x\r\n\r\na\r\n".repeat(20_000) + "--x--\r\n")));
    expect(500, 0, "no end", post(path, type, bytes(part)));
  }

  @Test
  void messageWithTrailingContentIsNotExecuted() throws Exception {
    envelope(500, 0, ENVELOPE + "<x/>");
    envelope(500, 0, ENVELOPE + "x");
    envelope(200, 1, ENVELOPE.replace("</e:Body>", " <!-- end --></e:Body>") + "\n");
  }

  @Test
  void noSpellingOfAPathBypassesReplication() throws Exception {
    for (String to : new String[] {";jsessionid=1", "/", "/a;b=c"}) {
      expect(200, 1, to, post(path + to, XML, BODY));
    }
    for (String to : new String[] {"/app//services/NotebookService", "/app/x/../services/NotebookService",
        "/app/%73ervices/NotebookService"}) {
      expect(200, 1, to, post(to, XML, BODY));
    }
    for (String to : new String[] {"/app/services/NotebookService%2Fx", "/app/services/NotebookService/..%2f..",
        "/app/services/N\\x", "*"}) {
      expect(400, 0, to, post(to, XML, BODY));
    }
    expect(404, 0, "another service", post("/app/services/NotebookService/%2e%2e/x", XML, BODY));
  }

  @Test
  void invalidSubscribeIsASenderFault() throws Exception {
    String subscribe = "<w:Subscribe xmlns:w='http://docs.oasis-open.org/wsn/b-2' xmlns:a='http://www.w3.org/2005/08/addressing'>"
        + "<w:ConsumerReference><a:Address>%s</a:Address></w:ConsumerReference>%s</w:Subscribe>";
    for (String address : new String[] {"http://127.0.0.1:9/&#0;", "http://127.0.0.1:9/&#xffff;", "http://a@127.0.0.1:9/", "http://0:9/",
        "http://2130706433:9/", "http://[::ffff:127.0.0.1]:9/", "http://localhost.:9/", "file:///etc/passwd", " "}) {
      envelope(500, 0, Soap.envelope("", String.format(subscribe, address, "")));
    }
    for (String time : new String[] {"P99999999999Y", "999999999-12-31T23:59:59Z", "-P1D", "PT0S", "&#0;", "2030-01-01T00:00:00+99:99"}) {
      String end = "<w:InitialTerminationTime>" + time + "</w:InitialTerminationTime>";
      envelope(500, 0, Soap.envelope("", String.format(subscribe, "http://127.0.0.1:9/", end)));
    }
  }
}
