package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.session.http.HandleCookie;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;

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
      HttpServletRequest request = (HttpServletRequest) event.getServletRequest();
      request.getSession(String.valueOf(request.getQueryString()).contains("early"));
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

  /** Counts the bytes of the body by a ReadListener, and in the session before it returns. */
  private static final class ListeningServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
      request.getSession().setAttribute("count", 1);
      AsyncContext context = request.startAsync();
      ServletInputStream in = request.getInputStream();
      in.setReadListener(new ReadListener() {
        private int bytes;

        @Override
        public void onDataAvailable() throws IOException {
          do {
            bytes += in.read(new byte[100]);
          } while (in.isReady());
        }

        @Override
        public void onAllDataRead() throws IOException {
          response.getWriter().print(bytes);
          context.complete();
        }

        @Override
        public void onError(Throwable failure) {
          context.complete();
        }
      });
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

  /** What a JSP does that shows an error: by default it has a session. */
  private static final class ErrorServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      response.getWriter().print("sorry, session " + request.getSession().getId());
    }
  }

  /** Sends an event, and the next one when the reader has the first. */
  private static final class EventServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final CountDownLatch READ = new CountDownLatch(1);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
      response.setContentType("text/event-stream;charset=UTF-8");
      response.getWriter().println("first");
      response.flushBuffer();
      try {
        response.getWriter().println(READ.await(10, TimeUnit.SECONDS) ? "second" : "never read");
      } catch (InterruptedException e) {
        throw new ServletException(e);
      }
    }
  }

  /** Counts in the session, and takes the connection over. */
  private static final class UpgradeServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
      Integer count = (Integer) request.getSession().getAttribute("count");
      request.getSession().setAttribute("count", count + 1);
      response.setHeader("Connection", "upgrade");
      response.setHeader("Upgrade", request.getHeader("Upgrade"));
      request.upgrade(Greeter.class);
    }
  }

  /** Greets and closes the connection. */
  public static final class Greeter implements HttpUpgradeHandler {
    @Override
    public void init(WebConnection connection) {
      try (connection) {
        connection.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void destroy() {
      // Nothing is open.
    }
  }

  private static void application(Context context) {
    ErrorPage missing = new ErrorPage();
    missing.setErrorCode(HttpServletResponse.SC_NOT_FOUND);
    missing.setLocation("/error");
    context.addErrorPage(missing);
    SessionServer.servlet(context, "/error", new ErrorServlet());
    SessionServer.servlet(context, "/events", new EventServlet());
    SessionServer.servlet(context, "/upgrade", new UpgradeServlet());
    context.setRealm(new OneUser());
    context.addApplicationListener(EarlyListener.class.getName());
    SessionServer.servlet(context, "/shop", new ShopServlet());
    SessionServer.servlet(context, "/asynchronous", new AsynchronousWriter());
    SessionServer.servlet(context, "/listening", new ListeningServlet());
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
  void aListenerOfRequestsMayCreateTheSession() throws Exception {
    assertEquals("1", browser.open(url(1, "do=count&early")));
    assertEquals("2", browser.open(url(2, "do=count&early")));
    browser.setCookie("JSESSIONID", "0123456789ABCDEF0123456789ABCDEF");
    assertEquals("1", browser.open(url(1, "do=count&early")));
    assertEquals("2", browser.open(url(2, "do=count")));
  }

  @Test
  void anErrorPageMayCreateTheSession() throws Exception {
    HttpResponse<String> missing = browser.send(browser.get(cluster.server(1).url("/missing")));
    assertEquals(404, missing.statusCode());
    String id = browser.cookie("JSESSIONID");
    assertEquals("sorry, session " + id, missing.body());
    assertEquals("1", browser.open(url(2, "do=count")));
    assertEquals(id, browser.cookie("JSESSIONID"));
  }

  @Test
  void aStreamOfEventsIsSentWhenItIsFlushed() throws Exception {
    HttpRequest request = browser.get(cluster.server(1).url("/events"));
    HttpResponse<InputStream> events = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
      assertEquals("first", lines.readLine());
      EventServlet.READ.countDown();
      assertEquals("second", lines.readLine());
    }
  }

  @Test
  void theHolderOfAnOldIdDoesNotGetTheNewOneFromARepeatedLogin() throws Exception {
    browser.open(url(1, "do=count"));
    Browser attacker = browser.copy();
    assertEquals("alice", browser.open(url(1, "do=login")));
    HttpResponse<String> repeated = attacker.send(attacker.get(url(2, "do=login")));
    // Executed, with the attacker's own credentials.
    assertEquals(200, repeated.statusCode());
    assertNotEquals(browser.cookie("JSESSIONID"), attacker.cookie("JSESSIONID"));
    browser.open(url(1, "do=count"));
    attacker = browser.copy();
    assertEquals(200, browser.send(browser.post(url(1, ""), "do=id")).statusCode());
    HttpResponse<String> refused = attacker.send(attacker.post(url(2, ""), "do=id"));
    assertEquals(409, refused.statusCode());
    assertTrue(refused.headers().allValues("Set-Cookie").isEmpty(), refused.headers().toString());
  }

  @Test
  void aUserWhoseRolesCannotBeReplicatedIsNotLoggedIn() throws Exception {
    browser.open(url(1, "do=count"));
    try (LogRecorder log = LogRecorder.of(AttributeFailures.class)) {
      HttpResponse<String> login = browser.send(browser.post(url(1, ""), "do=login&user=bob"));
      assertEquals(500, login.statusCode());
      assertTrue(login.body().contains("The session cannot be replicated."), login.body());
      assertFalse(login.body().contains("bob") || login.body().contains("org.understudy"), login.body());
      assertTrue(log.has("The user bob is of the class " + OneUser.class.getName()), () -> log.lines().toString());
    }
    assertTrue(browser.open(url(1, "do=user")).endsWith(" null false"));
  }

  @Test
  void manyExpiredSessionsEndInAFewUpdates() throws Exception {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 70; i++) {
      Browser visitor = new Browser();
      visitor.open(url(1, "do=short"));
      ids.add(visitor.cookie("JSESSIONID"));
    }
    ReplicatedSessionManager manager = cluster.server(1).manager();
    Condition.await("the end of the interval", () -> manager.times().expired(System.currentTimeMillis()).containsAll(ids));
    long before = cluster.server(1).replica().status().received();
    for (int replica = 1; replica <= 2; replica++) {
      cluster.server(replica).manager().processExpires();
    }
    Condition.await("the end of the sessions", () -> ids.stream().noneMatch(manager::isKnown));
    long updates = cluster.server(1).replica().status().received() - before;
    assertTrue(updates <= 3, "updates for 70 sessions: " + updates);
  }

  @Test
  void everyHandshakeOfAWebSocketIsMeant() throws Exception {
    browser.open(url(1, "do=count"));
    Browser before = browser.copy();
    assertTrue(upgrade(before, "websocket").startsWith("HTTP/1.1 101 "));
    assertTrue(upgrade(before, "websocket").endsWith("\r\nhello"));
    assertEquals("3", browser.open(url(2, "do=show&name=count")));
  }

  @Test
  void aConnectionThatChangesItsProtocolIsNotAStoredAnswer() throws Exception {
    browser.open(url(1, "do=count"));
    Browser before = browser.copy();
    assertTrue(upgrade(before, "greeting").endsWith("\r\nhello"));
    String second = upgrade(before, "greeting");
    assertTrue(second.startsWith("HTTP/1.1 409 "), second);
    assertEquals("2", browser.open(url(2, "do=show&name=count")));
  }

  private static String upgrade(Browser browser, String protocol) throws IOException {
    URI server = URI.create(cluster.server(1).url("/upgrade"));
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      String close = protocol.equals("websocket") ? "" : ", close";
      String head =
          "GET /upgrade HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade" + close + "\r\nUpgrade: " + protocol
              + "\r\nCookie: " + cookies(browser) + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static String cookies(Browser browser) {
    return "JSESSIONID=" + browser.cookie("JSESSIONID") + "; " + HandleCookie.NAME + "=" + browser.cookie(HandleCookie.NAME);
  }

  @Test
  void anAsynchronousRequestNeedsNotFlushItsWriter() throws Exception {
    assertEquals("written", browser.open(cluster.server(1).url("/asynchronous")).strip());
  }

  @Test
  void aReadListenerGetsTheBody() throws Exception {
    String url = cluster.server(1).url("/listening");
    assertEquals("3000", browser.send(browser.post(url, "x".repeat(3_000))).body());
    assertEquals("1", browser.open(url(2, "do=show&name=count")));
    assertEquals("0", browser.send(browser.post(url, "")).body());
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

  /** Many rounds: the other replica may not have applied the end of the session yet when the request arrives there. */
  @RepeatedTest(50)
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
    HttpRequest first = with(browser, "Authorization", "Basic YTph");
    HttpRequest same = with(browser, "Authorization", "Basic YTph");
    HttpRequest other = with(browser, "Authorization", "Basic Yjpi");
    assertEquals("2", browser.send(first).body());
    assertEquals("2", browser.send(same).body());
    assertEquals("3", browser.send(other).body());
  }

  @Test
  void requestsForOtherKindsOfAnswersAreOthers() throws Exception {
    browser.open(url(1, "do=count"));
    HttpRequest page = with(browser, "Accept", "text/html");
    HttpRequest same = with(browser, "Accept", "text/html");
    HttpRequest data = with(browser, "Accept", "application/json");
    assertEquals("2", browser.send(page).body());
    assertEquals("2", browser.send(same).body());
    assertEquals("3", browser.send(data).body());
  }

  private static HttpRequest with(Browser browser, String name, String value) {
    return HttpRequest.newBuilder(URI.create(url(1, "do=count")))
        .header("Cookie", cookies(browser))
        .header(name, value)
        .POST(HttpRequest.BodyPublishers.noBody())
        .build();
  }
}
