package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.session.http.HandleCookie;

/** What web applications do with requests and sessions beside reading and writing attributes. */
class SessionApplicationTest {
  @TempDir
  private static Path directory;

  private static SessionCluster cluster;

  private final Browser browser = new Browser();

  /** Looks the session up before the request is processed. */
  public static final class EarlyListener implements ServletRequestListener {
    @Override
    public void requestInitialized(ServletRequestEvent event) {
      ((HttpServletRequest) event.getServletRequest()).getSession(false);
    }
  }

  /** Writes characters after the first run of the servlet has ended, and does not flush them. */
  private static final class AsynchronousWriter extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      if (request.getDispatcherType() == DispatcherType.ASYNC) {
        response.getWriter().println("written");
      } else {
        AsyncContext context = request.startAsync();
        context.dispatch("/asynchronous");
      }
    }
  }

  /** Announces another encoding when the writer has one. */
  private static final class LateEncoding extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      PrintWriter writer = response.getWriter();
      response.setContentType("text/html;charset=UTF-8");
      writer.print("\u00e9");
    }
  }

  /** Logs in, and in its first run the session is changed at the other replica. */
  private static final class ContendedLogin extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final AtomicInteger RUNS = new AtomicInteger();

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
      Object count = request.getSession().getAttribute("count");
      String id = request.getRequestedSessionId();
      request.login("alice", "secret");
      if (RUNS.incrementAndGet() == 1) {
        Browser other = new Browser();
        other.setCookie("JSESSIONID", id);
        try {
          other.open(url(2, "do=count"));
        } catch (InterruptedException e) {
          throw new ServletException(e);
        }
      }
      request.getSession().setAttribute("count", (Integer) count + 1);
      response.getWriter().print(request.getRemoteUser() + " " + RUNS);
    }
  }

  private static void application(Context context) {
    context.setRealm(new OneUser());
    context.addApplicationListener(EarlyListener.class.getName());
    SessionServer.servlet(context, "/shop", new ShopServlet());
    SessionServer.servlet(context, "/asynchronous", new AsynchronousWriter());
    SessionServer.servlet(context, "/encoding", new LateEncoding());
    SessionServer.servlet(context, "/login", new ContendedLogin());
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = new SessionCluster(2, directory, SessionApplicationTest::application);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static String url(int replica, String query) {
    return cluster.server(replica).url("/shop?" + query);
  }

  @Test
  void aListenerOfRequestsMayLookTheSessionUp() throws Exception {
    assertEquals("1", browser.open(url(1, "do=count")));
    assertEquals("2", browser.open(url(2, "do=count")));
    assertEquals("3", browser.open(url(2, "do=count")));
  }

  @Test
  void anAsynchronousRequestNeedsNotFlushItsWriter() throws Exception {
    assertEquals("written", browser.open(cluster.server(1).url("/asynchronous")).strip());
  }

  @Test
  void theEncodingOfAWriterDoesNotChange() throws Exception {
    assertEquals("\u00e9", browser.open(cluster.server(1).url("/encoding")));
  }

  @Test
  void aLoginThatRunsAgainSucceeds() throws Exception {
    browser.open(url(1, "do=count"));
    HttpResponse<String> login = browser.send(browser.post(cluster.server(1).url("/login"), "login"));
    assertEquals("alice 2", login.body());
    assertEquals("3", browser.open(url(2, "do=show&name=count")));
  }

  @Test
  void aStoredAnswerIsNotSentAfterItsSessionHasEnded() throws Exception {
    browser.open(url(1, "do=count"));
    String form = "do=count&understudy.request=token-of-this-page";
    assertEquals("2", browser.send(browser.post(url(1, ""), form)).body());
    assertEquals("2", browser.send(browser.post(url(2, ""), form)).body());
    assertEquals("ended", browser.open(url(1, "do=end")));
    assertEquals(409, browser.send(browser.post(url(2, ""), form)).statusCode());
  }

  @Test
  void requestsWithOtherCredentialsAreOthers() throws Exception {
    browser.open(url(1, "do=count"));
    HttpRequest first = credentials(browser, "Basic YTph");
    HttpRequest same = credentials(browser, "Basic YTph");
    HttpRequest other = credentials(browser, "Basic Yjpi");
    assertEquals("2", browser.send(first).body());
    assertEquals("2", browser.send(same).body());
    assertEquals("3", browser.send(other).body());
  }

  private static HttpRequest credentials(Browser browser, String header) {
    String cookies = "JSESSIONID=" + browser.cookie("JSESSIONID") + "; " + HandleCookie.NAME + "=" + browser.cookie(HandleCookie.NAME);
    return HttpRequest.newBuilder(URI.create(url(1, "do=count")))
        .header("Cookie", cookies)
        .header("Authorization", header)
        .POST(HttpRequest.BodyPublishers.noBody())
        .build();
  }
}
