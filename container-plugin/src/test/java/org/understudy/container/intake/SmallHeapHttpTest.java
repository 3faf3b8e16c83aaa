package org.understudy.container.intake;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import jakarta.xml.ws.handler.MessageContext;
import jakarta.xml.ws.handler.soap.SOAPHandler;
import jakarta.xml.ws.handler.soap.SOAPMessageContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.attachment.FaultTolerantFeature;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.process.Program;

/**
 * A group in a process with the smallest heap that {@code docs/operations.md} permits for a replica. Three clients fill their limits with
 * large bodies of every content type and charset, while another one goes on.
 */
class SmallHeapHttpTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int CONNECTIONS = 40;
  private static final int LARGEST = 4_194_304;
  private static final int ROUNDS = 4;
  /** Together they may hold three quarters of what all clients may hold. */
  private static final List<String> FLOOD = List.of("127.0.0.2", "127.0.0.3", "127.0.0.4");
  private static final String HONEST = "127.0.0.1";
  @TempDir Path directory;

  /** The process: prints the port, and ends at the end of its input. */
  static final class Group {
    private Group() {}

    /** @param args the directory, and whether the service is behind a handler */
    public static void main(String[] args) throws Exception {
      try (TestCluster site = Boolean.parseBoolean(args[1])
          ? new TestCluster(Path.of(args[0]), new OwnServlet(Group::publish), 1, Map.of())
          : new ServiceCluster(Path.of(args[0]), ScaleService.class, 1, Map.of())) {
        System.out.println("port " + site.port(1));
        while (System.in.read() >= 0) {
          // Until the test ends.
        }
      }
    }

    private static void publish(Bus bus) {
      EndpointImpl endpoint = new EndpointImpl(bus, new HandledScale());
      endpoint.getFeatures().add(new FaultTolerantFeature());
      endpoint.setHandlers(List.of(new Reading()));
      endpoint.publish("/ScaleService");
    }
  }

  /** Gets each message as a tree. */
  private static final class Reading implements SOAPHandler<SOAPMessageContext> {
    @Override
    public boolean handleMessage(SOAPMessageContext context) {
      return context.getMessage() != null;
    }

    @Override
    public boolean handleFault(SOAPMessageContext context) {
      return true;
    }

    @Override
    public void close(MessageContext context) {}

    @Override
    public Set<QName> getHeaders() {
      return Set.of();
    }
  }

  /** Its service. */
  @WebService(targetNamespace = "urn:scale")
  public static class HandledScale {
    @ReplicatedState private int calls;

    /** Like that of {@link ScaleService}. */
    @WebMethod
    public int weigh(@WebParam(name = "text") String text) {
      calls++;
      return text == null ? 0 : text.length();
    }

    /** How often it has weighed. */
    @WebMethod
    public int calls() {
      return calls;
    }
  }

  /** A request's content type, and its body. */
  private record Load(String name, String contentType, byte[] body) {}

  private static byte[] filled(int length, int with) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) with);
    return bytes;
  }

  /** An envelope in a charset that fills the largest body with one text, or with elements. */
  private static byte[] call(String operation, String charset, String declaration, String unit, String around) {
    Charset in = Charset.forName(charset);
    String[] parts =
        (declaration + envelope("", "<s:" + operation + " xmlns:s=\"urn:scale\">" + around.formatted("\u0000") + "</s:" + operation + ">"))
            .split("\u0000");
    int left = LARGEST - parts[0].getBytes(in).length - parts[1].getBytes(in).length;
    return (parts[0] + unit.repeat(left / unit.getBytes(in).length - 2) + parts[1]).getBytes(in);
  }

  private static byte[] text(String operation, String charset, String declaration, String unit) {
    return call(operation, charset, declaration, unit, "<text>%s</text>");
  }

  private static Load multipart(String name, String rootType, byte[] root, String attachmentHead, int attachment) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("--b\r\nContent-Type: " + rootType + "\r\nContent-ID: <r>\r\n\r\n").getBytes(StandardCharsets.UTF_8));
    out.writeBytes(root);
    out.writeBytes(("\r\n--b\r\n" + attachmentHead + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
    out.writeBytes(filled(attachment, 'a'));
    out.writeBytes("\r\n--b--\r\n".getBytes(StandardCharsets.UTF_8));
    return new Load(name, "multipart/related; type=\"text/xml\"; boundary=b; start=\"<r>\"", out.toByteArray());
  }

  private static List<Load> loads() throws IOException {
    String latin1 = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>";
    byte[] small = envelope("", "<s:weigh xmlns:s=\"urn:scale\"><text>x</text></s:weigh>").getBytes(StandardCharsets.UTF_8);
    List<Load> loads = new ArrayList<>(List.of(
        new Load("no XML in ISO-8859-1", "text/xml; charset=ISO-8859-1", filled(LARGEST - 20, 0xe9)),
        new Load("ISO-8859-1", "text/xml; charset=ISO-8859-1", text("weigh", "ISO-8859-1", "", "\u00e9")),
        new Load("echo of ISO-8859-1", "text/xml; charset=ISO-8859-1", text("echo", "ISO-8859-1", "", "\u00e9")),
        new Load("declared ISO-8859-1", "application/soap+xml", text("weigh", "ISO-8859-1", latin1, "\u00e9")),
        new Load("UTF-8", "text/xml; charset=UTF-8", text("weigh", "UTF-8", "", "x")),
        new Load("echo of UTF-8", "text/xml; charset=UTF-8", text("echo", "UTF-8", "", "x")),
        new Load("UTF-8 of three bytes", "text/xml", text("echo", "UTF-8", "", "\u20ac")),
        new Load("US-ASCII", "text/xml; charset=us-ascii", text("weigh", "US-ASCII", "", "x")),
        new Load("UTF-16", "text/xml; charset=utf-16", text("weigh", "UTF-16", "", "\u20ac")),
        new Load("UTF-16LE", "text/xml; charset=utf-16le", text("echo", "UTF-16LE", "", "x")),
        new Load("UTF-16BE", "text/xml", text("echo", "UTF-16BE", "", "\u20ac")),
        new Load("entities", "text/xml", text("weigh", "UTF-8", "", "&lt;")),
        new Load("elements", "text/xml", call("weigh", "UTF-8", "", "<a/>", "%s")),
        new Load("header blocks", "text/xml", call("weigh", "UTF-8", "", "<a b='c'>d</a>", "%s")),
        new Load("an attribute", "text/xml", call("weigh", "UTF-8", "", "x", "<text a=\"%s\"/>")),
        new Load("a comment", "text/xml", call("weigh", "UTF-8", "", "x", "<!--%s-->")),
        new Load("no charset", "text/xml; charset=nothing", filled(LARGEST, 'x')),
        new Load("octets", "application/octet-stream", filled(LARGEST, 'x')),
        new Load("a form", "application/x-www-form-urlencoded", filled(LARGEST, 'x')),
        new Load("nothing", null, filled(LARGEST, 0))));
    String unused = "Content-Type: application/octet-stream\r\nContent-ID: <unused>";
    loads.add(multipart("an unused attachment", "text/xml", small, unused, LARGEST - 2_000));
    loads.add(multipart("ISO-8859-1 with an attachment", "text/xml; charset=ISO-8859-1",
        Arrays.copyOf(text("weigh", "ISO-8859-1", "", "\u00e9"), LARGEST / 2), unused, LARGEST / 2 - 2_000));
    return loads;
  }

  /** Sends one request, as far as the replica lets it. */
  private static void flood(int port, String path, String from, Load load, boolean chunked) throws IOException {
    try (Socket socket = new Socket(InetAddress.getByName(HONEST), port, InetAddress.getByName(from), 0)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      OutputStream out = socket.getOutputStream();
      String type = load.contentType() == null ? "" : "Content-Type: " + load.contentType() + "\r\n";
      String length = chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + load.body().length;
      out.write(("POST /app/" + path + "/ScaleService HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + type + length + "\r\n\r\n")
          .getBytes(StandardCharsets.US_ASCII));
      if (chunked) {
        out.write((Integer.toHexString(load.body().length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      }
      out.write(load.body());
      if (chunked) {
        out.write("\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      }
      out.flush();
      socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      // The replica has answered before the whole body was there, and closed the connection.
    }
  }

  private static String call(int port, String path) throws IOException {
    byte[] body = envelope("", "<s:weigh xmlns:s=\"urn:scale\"><text>xyz</text></s:weigh>").getBytes(StandardCharsets.UTF_8);
    try (Socket socket = new Socket(InetAddress.getByName(HONEST), port, InetAddress.getByName(HONEST), 0)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(("POST /app/" + path + "/ScaleService HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
          + "Content-Type: text/xml\r\nContent-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(body);
      try (InputStream in = socket.getInputStream()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }

  @Test
  void largeBodiesOfAnyKindEndNoReplica() throws Exception {
    floodWith(loads(), "services");
  }

  /** Handlers get a tree, whose nodes take a hundred times the memory of the smallest element. */
  @Test
  void manyElementsEndNoReplicaWhoseServiceIsBehindAHandler() throws Exception {
    List<Load> loads = new ArrayList<>();
    for (int elements : new int[] {90_000, 300_000}) {
      String groups = ("<g>" + "<e/>".repeat(900) + "</g>").repeat(elements / 900);
      String body = envelope("", "<s:weigh xmlns:s=\"urn:scale\">" + groups + "</s:weigh>");
      loads.add(new Load(elements + " elements", "text/xml", body.getBytes(StandardCharsets.UTF_8)));
    }
    floodWith(loads, "soap");
  }

  /** @param path of CXF's servlet in the web application */
  private void floodWith(List<Load> loads, String path) throws Exception {
    List<String> command = List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx384m",
        "-XX:+ExitOnOutOfMemoryError", "-Djdk.nio.maxCachedBufferSize=262144", "-cp", System.getProperty("java.class.path"),
        Group.class.getName(), directory.toString(), Boolean.toString(path.equals("soap")));
    ExecutorService clients = Executors.newCachedThreadPool();
    try (Program group = Program.startMerged(Path.of("").toAbsolutePath(), PATIENCE, command)) {
      String first = group.out().next();
      assertTrue(first.startsWith("port "), first);
      int port = Integer.parseInt(first.substring("port ".length()));
      for (Load load : loads) {
        List<Future<?>> floods = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
          boolean chunked = i % 4 == 3;
          String from = FLOOD.get(i % FLOOD.size());
          floods.add(clients.submit(() -> {
            for (int round = 0; round < ROUNDS; round++) {
              flood(port, path, from, load, chunked);
            }
            return null;
          }));
        }
        boolean over;
        do {
          over = floods.stream().allMatch(Future::isDone);
          String answer = call(port, path);
          assertTrue(answer.startsWith("HTTP/1.1 200") && answer.contains(">3<"), load.name() + ": " + answer);
        } while (!over);
        for (Future<?> flood : floods) {
          flood.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
      }
    } finally {
      clients.shutdownNow();
    }
  }
}
