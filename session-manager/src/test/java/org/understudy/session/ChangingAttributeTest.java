package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.LogRecorder;

/** An attribute that a thread of the web application changes while a request ends. */
class ChangingAttributeTest {
  /** How many attempts to write the attribute meet a change. */
  private static final AtomicInteger CHANGES = new AtomicInteger();

  @TempDir
  private static Path directory;

  private static SessionCluster cluster;

  private final Browser browser = new Browser();

  /** A list that is changed while it is written, as by another thread. */
  private static final class Busy implements Serializable {
    private static final long serialVersionUID = 1L;

    private final ArrayList<Object> items = new ArrayList<>(List.of(new Change(this)));
    private String text = "first";
  }

  /** Stands for the other thread. */
  private record Change(Busy of) implements Serializable {
    private static final long serialVersionUID = 1L;

    private void change() {
      if (CHANGES.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        of.items.add("one more");
      }
    }
  }

  /** Lets the change happen in the middle of writing: records have no method of their own. */
  private static final class Trigger implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Change change;

    Trigger(Change change) {
      this.change = change;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      change.change();
    }
  }

  private static void work(HttpServletRequest request, HttpServletResponse response) throws IOException {
    HttpSession session = request.getSession();
    Busy busy = (Busy) session.getAttribute("busy");
    switch (request.getParameter("do")) {
      case "make" -> {
        busy = new Busy();
        busy.items.add(new Trigger(new Change(busy)));
        session.setAttribute("busy", busy);
      }
      case "set" -> session.setAttribute("busy", busy);
      case "change" -> busy.text = request.getParameter("text");
      case "other" -> session.setAttribute("other", request.getParameter("text"));
      case "rename" -> request.changeSessionId();
      default -> {
        // Only reads.
      }
    }
    response.getWriter().print(busy.text + " " + session.getAttribute("other"));
  }

  private static void application(Context context) {
    SessionServer.servlet(context, "/work", ServletAction.servlet(ChangingAttributeTest::work));
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = new SessionCluster(2, directory, ChangingAttributeTest::application);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @BeforeEach
  void make() throws Exception {
    CHANGES.set(0);
    assertEquals("first null", browser.open(url(1, "make")));
  }

  private static String url(int replica, String what) {
    return cluster.server(replica).url("/work?do=" + what);
  }

  @Test
  void aChangeDuringTheCaptureIsCapturedByTheNextAttempt() throws Exception {
    CHANGES.set(3);
    assertEquals("second null", browser.open(url(1, "change&text=second")));
    assertEquals("second null", browser.open(url(2, "read")));
  }

  @Test
  void aRequestThatHasNotSetTheAttributeAnswersWithWhatWasCapturedLast() throws Exception {
    CHANGES.set(Integer.MAX_VALUE);
    try (LogRecorder log = LogRecorder.of(AttributeFailures.class)) {
      for (int i = 0; i < 3; i++) {
        assertEquals("first null", browser.open(url(1, "read")));
      }
      assertEquals("first set", browser.open(url(1, "other&text=set")));
      assertEquals("first set", browser.open(url(1, "rename")));
      assertEquals(1, log.lines().size(), () -> log.lines().toString());
      assertTrue(log.has("busy") && log.has("ConcurrentModification"), () -> log.lines().toString());
    }
    CHANGES.set(0);
    assertEquals("first set", browser.open(url(2, "read")));
  }

  @Test
  void aRequestThatHasSetTheAttributeFails() throws Exception {
    CHANGES.set(Integer.MAX_VALUE);
    HttpResponse<String> answer = browser.send(browser.post(url(1, "set"), ""));
    assertEquals(500, answer.statusCode(), answer.body());
    assertEquals("ExecutionFailed", answer.headers().firstValue("Understudy-Failure").orElse(""));
    CHANGES.set(0);
    assertEquals("first null", browser.open(url(2, "read")));
  }
}
