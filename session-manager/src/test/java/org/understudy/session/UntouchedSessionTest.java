package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Context;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.tomcat.util.descriptor.web.LoginConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that name a session and do not touch it, while another request of the session takes its time. */
class UntouchedSessionTest {
  @TempDir
  private static Path directory;

  private static SessionCluster cluster;
  /** Of the slow requests that are running. */
  private static final Semaphore ENTERED = new Semaphore(0);

  private static CountDownLatch slow;

  private final Browser browser = new Browser();
  private CompletableFuture<HttpResponse<String>> running;

  private static void work(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
    String what = request.getParameter("do");
    response.getWriter().print(
        switch (what) {
          case "slow" -> {
            request.getSession().setAttribute("slow", "yes");
            ENTERED.release();
            await(slow);
            yield "slow";
          }
          case "end" -> {
            request.getSession().getAttribute("slow");
            ENTERED.release();
            await(slow);
            request.getSession().invalidate();
            yield "ended";
          }
          case "user" -> request.getRemoteUser() + " " + request.isRequestedSessionIdValid();
          case "id" -> request.getSession().getId();
          case "late" -> {
            ENTERED.release();
            boolean known = request.getSession(false) != null;
            yield known + " " + (known ? request.getSession().getAttribute("slow") : "none");
          }
          case "login" -> {
            request.login("alice", "secret");
            yield request.getSession().getId();
          }
          default -> "nothing";
        });
  }

  private static void await(CountDownLatch latch) throws ServletException {
    try {
      assertTrue(latch.await(100, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new ServletException(e);
    }
  }

  private static void application(Context context) {
    context.setDocBase(directory.toString());
    context.setRealm(new OneUser());
    LoginConfig form = new LoginConfig();
    form.setAuthMethod("FORM");
    form.setLoginPage("/login.html");
    form.setErrorPage("/login.html");
    context.setLoginConfig(form);
    context.getPipeline().addValve(new org.apache.catalina.authenticator.FormAuthenticator());
    SessionServer.servlet(context, "/", new DefaultServlet());
    SessionServer.servlet(context, "/work", ServletAction.servlet(UntouchedSessionTest::work));
  }

  @BeforeAll
  static void start() throws Exception {
    Files.writeString(directory.resolve("plain.txt"), "plain");
    cluster = new SessionCluster(2, directory, UntouchedSessionTest::application);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static String url(int replica, String what) {
    return cluster.server(replica).url("/work?do=" + what);
  }

  @BeforeEach
  void logIn() throws Exception {
    slow = new CountDownLatch(1);
    browser.open(url(1, "id"));
    browser.open(url(1, "login"));
    // The note that a request waits for a login has a place in this session.
    assertEquals("alice true", browser.open(url(1, "user")));
  }

  @AfterEach
  void end() {
    slow.countDown();
  }

  private void beginSlow(String what) throws Exception {
    Browser other = browser.copy();
    HttpRequest request = other.get(url(1, what));
    running =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return other.send(request);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
              }
            });
    assertTrue(ENTERED.tryAcquire(30, TimeUnit.SECONDS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/plain.txt", "/work?do=nothing", "/work?do=user"})
  void aRequestThatDoesNotTouchTheSessionDoesNotWait(String path) throws Exception {
    beginSlow("slow");
    String at = cluster.server(1).url(path);
    String first = browser.open(at);
    assertEquals(first, browser.send(browser.post(at, "")).body());
    assertEquals(first, browser.open(cluster.server(2).url(path)));
    slow.countDown();
    assertEquals("slow", running.get().body());
    assertEquals(first, browser.open(at));
  }

  @Test
  void theUserOfTheSessionIsKnownAndTheAnswerCurrent() throws Exception {
    beginSlow("end");
    assertEquals("alice true", browser.open(url(1, "user")));
    slow.countDown();
    assertEquals("ended", running.get().body());
    assertEquals("null false", browser.open(url(1, "user")));
    assertEquals("null false", browser.open(url(2, "user")));
  }

  @Test
  void theFirstUseWaitsAndSeesWhatTheOtherRequestHasDone() throws Exception {
    beginSlow("slow");
    HttpRequest request = browser.get(url(1, "late"));
    CompletableFuture<String> late = CompletableFuture.supplyAsync(() -> body(request));
    assertTrue(ENTERED.tryAcquire(30, TimeUnit.SECONDS));
    slow.countDown();
    assertEquals("true yes", late.get());
    assertEquals("slow", running.get().body());
  }

  /** The request has found the session, and waits for one that ends it: it runs again. */
  @Test
  void aSessionThatEndsBeforeItsFirstUseIsNotFound() throws Exception {
    beginSlow("end");
    HttpRequest request = browser.get(url(1, "late"));
    CompletableFuture<String> late = CompletableFuture.supplyAsync(() -> body(request));
    assertTrue(ENTERED.tryAcquire(30, TimeUnit.SECONDS));
    slow.countDown();
    assertEquals("false none", late.get());
    assertEquals("ended", running.get().body());
    ENTERED.drainPermits();
  }

  private String body(HttpRequest request) {
    try {
      return browser.delayed(request).body();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
