package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.awt.Color;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collections;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.logging.Level;
import java.util.stream.IntStream;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.namespace.QName;
import org.apache.catalina.Context;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.test.LogRecorder;

/** What a request has stored in the session with success can be read at every replica. */
class ReadableAttributesTest {
  @TempDir
  private static Path directory;

  private static SessionCluster cluster;

  private final Browser browser = new Browser();

  /** One of a chain. */
  private static final class Node implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Node next;

    Node(Node next) {
      this.next = next;
    }
  }

  /** Without a constructor that deserialization could call. */
  private static class Base {
    private final int number;

    Base(int number) {
      this.number = number;
    }
  }

  /** Can be written, and not be read. */
  private static final class Orphan extends Base implements Serializable {
    private static final long serialVersionUID = 1L;

    Orphan() {
      super(1);
    }
  }

  /** The same, by its own method. */
  private static final class Unreadable implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) {
      throw new IllegalStateException("never read " + in);
    }
  }

  private static Node chain(int length) {
    Node first = null;
    for (int i = 0; i < length; i++) {
      first = new Node(first);
    }
    return first;
  }

  private static Object nested(int depth) {
    Object list = "end";
    for (int i = 0; i < depth; i++) {
      list = new ArrayList<>(List.of(list));
    }
    return list;
  }

  private static URL url(int port) {
    try {
      return new URL("http://example.invalid:" + port + "/a");
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object value(String kind, int number) {
    return switch (kind) {
      case "chain" -> chain(number);
      case "nested" -> nested(number);
      case "copies" -> Collections.nCopies(number, "x");
      case "table" -> new ArrayList<>(IntStream.range(0, number).mapToObj(i -> Map.of("row", i)).toList());
      case "zeros" -> new int[number];
      case "orphan" -> new Orphan();
      case "calendar" -> new GregorianCalendar(TimeZone.getTimeZone("Europe/Berlin"), Locale.GERMANY);
      case "format" -> new SimpleDateFormat("EEE HH:mm", Locale.GERMANY);
      case "zone" -> TimeZone.getTimeZone("GMT+05:30");
      case "duration" -> DatatypeFactory.newDefaultInstance().newDurationDayTime(number);
      case "time" -> DatatypeFactory.newDefaultInstance().newXMLGregorianCalendarDate(number, 2, 3, 60);
      case "name" -> new QName("urn:u", "local", "p" + number);
      case "url" -> url(number);
      case "address" -> new InetSocketAddress(InetAddress.getLoopbackAddress(), number);
      case "color" -> new Color(1, 2, 3, number);
      case "level" -> Level.FINE;
      default -> new Unreadable();
    };
  }

  private static String size(Object value) {
    if (value instanceof Node first) {
      int length = 0;
      for (Node node = first; node != null; node = node.next) {
        length++;
      }
      return Integer.toString(length);
    }
    if (value instanceof int[] array) {
      return Integer.toString(array.length);
    }
    if (value instanceof List<?> list && list.get(0) instanceof List<?>) {
      int depth = 0;
      for (Object inner = list; inner instanceof List<?> one; inner = one.get(0)) {
        depth++;
      }
      return Integer.toString(depth);
    }
    if (value instanceof Calendar calendar) {
      return calendar.getTimeInMillis() + calendar.getTimeZone().getID();
    }
    return value instanceof List<?> list ? Integer.toString(list.size()) : String.valueOf(value);
  }

  private static void work(HttpServletRequest request, HttpServletResponse response) throws IOException {
    HttpSession session = request.getSession();
    String name = request.getParameter("name");
    if (request.getParameter("kind") != null) {
      session.setAttribute(name, value(request.getParameter("kind"), Integer.parseInt(request.getParameter("number"))));
    }
    response.getWriter().print(size(session.getAttribute(name)));
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = new SessionCluster(2, directory, ReadableAttributesTest::application);
  }

  private static void application(Context context) {
    SessionServer.servlet(context, "/value", ServletAction.servlet(ReadableAttributesTest::work));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static String read(int replica, String name) {
    return cluster.server(replica).url("/value?name=" + name);
  }

  private static String write(String name, String kind, int number) {
    return read(1, name) + "&kind=" + kind + "&number=" + number;
  }

  @ParameterizedTest
  @CsvSource({"chain, 250", "nested, 250", "table, 20000", "copies, 100000", "zeros, 1000000"})
  void whatIsKeptIsReadElsewhere(String kind, int number) throws Exception {
    String size = Integer.toString(number);
    assertEquals(size, browser.open(write("kept", kind, number)));
    assertEquals(size, browser.open(read(2, "kept")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"calendar", "format", "zone", "duration", "time", "name", "url", "address", "color", "level"})
  void valuesOfTheJdkAreReadElsewhere(String kind) throws Exception {
    String shown = browser.open(write("jdk", kind, 80));
    assertEquals(shown, browser.open(read(2, "jdk")));
    assertEquals(shown, browser.open(read(1, "jdk")));
  }

  @ParameterizedTest
  @CsvSource({
    "chain, 301, contain each other", "chain, 2000, contain each other", "chain, 100000, contain each other",
    "nested, 2000, contain each other", "copies, 40000000, elements",
    "orphan, 1, no valid constructor", "unreadable, 1, never read"
  })
  void whatCannotBeReadIsRefusedBeforeTheAnswer(String kind, int number, String reason) throws Exception {
    String name = kind + number;
    assertEquals("3", browser.open(write(name, "chain", 3)));
    try (LogRecorder log = LogRecorder.of(Level.SEVERE, "org.understudy.session")) {
      HttpResponse<String> answer = browser.send(browser.get(write(name, kind, number)));
      assertEquals(500, answer.statusCode(), answer.body());
      assertEquals("ExecutionFailed", answer.headers().firstValue("Understudy-Failure").orElse(""));
      assertTrue(log.has("attribute " + name + " of the class") && log.has(reason), () -> log.lines().toString());
    }
    assertEquals("3", browser.open(read(1, name)));
    assertEquals("3", browser.open(read(2, name)));
  }

  /** A chain grows by one object with each request until it is refused: what was acknowledged last can be read elsewhere. */
  @Test
  void theLastLengthThatIsKeptIsRead() throws Exception {
    int length = 290;
    while (browser.send(browser.get(write("grown", "chain", length))).statusCode() == 200) {
      length++;
      assertTrue(length < 1_000);
    }
    assertEquals(Integer.toString(length - 1), browser.open(read(2, "grown")));
  }

  @Test
  void theOrphanIsWhatItIs() {
    assertEquals(1, ((Base) new Orphan()).number);
  }
}
