package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.Engine;
import org.apache.catalina.Wrapper;
import org.apache.catalina.filters.CsrfPreventionFilter;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.session.http.HandleCookie;

/** What Tomcat offers beside sessions and changes them, or what they are named by, at two Tomcats. */
class TomcatFeaturesTest {
  @TempDir
  private Path directory;

  private final Browser browser = new Browser();

  private SessionCluster cluster(Consumer<Context> application) throws Exception {
    return new SessionCluster(2, directory, context -> {
      SessionServer.servlet(context, "/shop", new ShopServlet());
      application.accept(context);
    });
  }

  @Test
  void theFilterAgainstForgedRequestsKeepsItsNonces() throws Exception {
    try (SessionCluster cluster = cluster(context -> {
      FilterDef filter = new FilterDef();
      filter.setFilterName("csrf");
      filter.setFilter(new CsrfPreventionFilter());
      filter.addInitParameter("entryPoints", "/link");
      context.addFilterDef(filter);
      FilterMap map = new FilterMap();
      map.setFilterName("csrf");
      map.addURLPattern("/*");
      context.addFilterMap(map);
      SessionServer.servlet(
          context, "/link", ServletAction.servlet((request, response) -> response.getWriter().print(response.encodeURL("/shop?do=count"))));
    })) {
      for (int count = 1; count <= 4; count++) {
        String link = browser.open(cluster.server(1 + count % 2).url("/link"));
        assertEquals(Integer.toString(count), browser.open(cluster.server(2 - count % 2).url(link)));
      }
      assertEquals(403, browser.send(browser.get(cluster.server(1).url("/shop?do=count"))).statusCode());
    }
  }

  @Test
  void theHandleGoesWhereTheSessionGoes() throws Exception {
    try (SessionCluster cluster = cluster(context -> {
      context.setSessionCookieName("ID");
      context.setSessionCookieDomain("example.org");
      context.setSessionCookiePath("/shop");
      context.addServletContainerInitializer(
          (classes, application) -> {
            application.getSessionCookieConfig().setAttribute("SameSite", "Strict");
            application.getSessionCookieConfig().setMaxAge(1_000);
            application.getSessionCookieConfig().setSecure(true);
          },
          Set.of());
    })) {
      HttpResponse<String> answer = browser.send(browser.get(cluster.server(1).url("/shop?do=count")));
      List<Set<String>> cookies =
          answer.headers().allValues("Set-Cookie").stream()
              .map(cookie -> Set.of(cookie.replaceFirst("^[^;]*; ", "").replaceFirst("Expires=[^;]*", "Expires").split("; "))).toList();
      assertEquals(2, cookies.size(), () -> answer.headers().toString());
      assertEquals(cookies.get(0), cookies.get(1));
      assertTrue(cookies.get(0).containsAll(Set.of("SameSite=Strict", "Domain=example.org", "Path=/shop", "Secure", "HttpOnly")));
      assertEquals("2", browser.open(cluster.server(2).url("/shop?do=count")));
    }
  }

  @Test
  void sessionsInAddressesNeedNoCookies() throws Exception {
    try (SessionCluster cluster = cluster(context -> {
      context.addServletContainerInitializer(
          (classes, application) -> application.setSessionTrackingModes(Set.of(SessionTrackingMode.URL)), Set.of());
      SessionServer.servlet(context, "/link", ServletAction.servlet((request, response) -> {
        request.getSession().setAttribute("count", 0);
        response.getWriter().print(response.encodeURL("/shop"));
      }));
    })) {
      HttpResponse<String> answer = browser.send(browser.get(cluster.server(1).url("/link")));
      assertEquals(List.of(), answer.headers().allValues("Set-Cookie"));
      for (int count = 1; count <= 3; count++) {
        String form = "do=count&understudy.request=token-of-page-" + count;
        for (int copy = 0; copy < 2; copy++) {
          HttpResponse<String> next = browser.send(browser.post(cluster.server(1 + copy).url(answer.body()), form));
          assertEquals(Integer.toString(count), next.body());
          assertEquals(List.of(), next.headers().allValues("Set-Cookie"));
        }
      }
    }
  }

  /** None of them is adopted, and none harms the group. */
  @Test
  void strangeIdsAreUnknown() throws Exception {
    try (SessionCluster cluster = cluster(context -> {})) {
      List<String> ids =
          List.of(
              "", ".", "..", "/", "a/b", "../a", "a/=b", "#", "a#b", "%00", "%2F", "a=b", "=", "\"\"", "\"a\"", "null", "session/a", "-1",
              "\u00e9\u00ff", "a b", "a\tb", "${jndi:x}", "*", "x".repeat(7_000));
      for (String id : ids) {
        for (int replica = 1; replica <= 2; replica++) {
          Browser stranger = new Browser();
          stranger.setCookie("JSESSIONID", id);
          stranger.setCookie(HandleCookie.NAME, id);
          HttpRequest request = stranger.post(cluster.server(replica).url("/shop"), "do=count");
          HttpResponse<String> answer = stranger.send(request);
          assertTrue(answer.statusCode() == 200 && answer.body().equals("1") || answer.statusCode() == 400, id + ": " + answer.body());
          assertTrue(answer.statusCode() == 400 || stranger.cookie("JSESSIONID").matches("[0-9A-F]{32}"), id);
        }
      }
      for (String id : List.of("", "a%2Fb", "%23", "x;jsessionid=y")) {
        assertEquals("1", new Browser().open(cluster.server(1).url("/shop;jsessionid=" + id + "?do=count")));
      }
      assertEquals("1", browser.open(cluster.server(1).url("/shop?do=count")));
      assertEquals("2", browser.open(cluster.server(2).url("/shop?do=count")));
      // Two cookies: Tomcat takes the one that is known.
      Browser both = new Browser();
      both.setCookie("JSESSIONID", "unknown; JSESSIONID=" + browser.cookie("JSESSIONID"));
      assertEquals("3", both.open(cluster.server(1).url("/shop?do=count")));
    }
  }

  /** Records what the session looks like before the run. */
  public static final class Watcher implements ServletRequestListener {
    private static volatile String seen;

    @Override
    public void requestInitialized(ServletRequestEvent event) {
      HttpSession session = ((HttpServletRequest) event.getServletRequest()).getSession(false);
      if (session != null) {
        seen = (session.getCreationTime() > 0) + " " + (session.getLastAccessedTime() >= session.getCreationTime()) + " "
            + session.getMaxInactiveInterval() + " " + session.isNew();
      }
    }
  }

  @Test
  void aListenerSeesTheSessionAsItIs() throws Exception {
    try (SessionCluster cluster = cluster(context -> {
      context.addApplicationListener(Watcher.class.getName());
      context.setSessionTimeout(0);
      SessionServer.servlet(context, "/late", ServletAction.servlet((request, response) -> {
        HttpSession session = request.getSession();
        request.startAsync().start(() -> {
          try {
            session.setMaxInactiveInterval(5);
            answer(response, "changed");
          } catch (IllegalStateException e) {
            answer(response, "refused");
          }
          request.getAsyncContext().complete();
        });
      }));
    })) {
      browser.open(cluster.server(1).url("/shop?do=count"));
      browser.open(cluster.server(2).url("/shop?do=count"));
      assertEquals("true true -60 false", Watcher.seen);
      assertEquals("refused", browser.open(cluster.server(2).url("/late")));
      browser.open(cluster.server(2).url("/shop?do=short"));
      browser.open(cluster.server(1).url("/shop?do=count"));
      assertEquals("true true 1 false", Watcher.seen);
    }
  }

  private static void answer(HttpServletResponse response, String text) {
    try {
      response.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void sessionsAreReplicatedOverHttp2() throws Exception {
    try (SessionCluster cluster = cluster(context -> {
      Engine engine = (Engine) context.getParent().getParent();
      engine.getService().findConnectors()[0].addUpgradeProtocol(new Http2Protocol());
    })) {
      HttpClient http2 = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
      String cookies = "";
      for (int count = 1; count <= 4; count++) {
        HttpRequest.Builder request =
            HttpRequest.newBuilder(URI.create(cluster.server(1 + count % 2).url("/shop?number=" + count)))
                .header("Content-Type", "application/x-www-form-urlencoded").POST(HttpRequest.BodyPublishers.ofString("do=count"));
        if (!cookies.isEmpty()) {
          request.header("Cookie", cookies);
        }
        HttpResponse<String> answer = http2.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(HttpClient.Version.HTTP_2, answer.version());
        assertEquals(Integer.toString(count), answer.body());
        if (cookies.isEmpty()) {
          cookies = String.join("; ", answer.headers().allValues("Set-Cookie").stream().map(cookie -> cookie.split(";")[0]).toList());
        }
      }
    }
  }

  private static final AtomicInteger RUNS = new AtomicInteger();

  /** Another replica changes the session in the first run, which has moved the file that was sent. */
  private static void upload(SessionCluster cluster, HttpServletRequest request, HttpServletResponse response, Path directory)
      throws IOException, ServletException {
    HttpSession session = request.getSession();
    session.getAttribute("count");
    Part part = request.getPart("file");
    int run = RUNS.incrementAndGet();
    part.write(directory.resolve("file-" + run).toString());
    if (run == 1) {
      Browser other = new Browser();
      other.setCookie("JSESSIONID", session.getId());
      try {
        other.open(cluster.server(2).url("/shop?do=count"));
      } catch (InterruptedException e) {
        throw new ServletException(e);
      }
    }
    session.setAttribute("file", part.getSize() + " " + Files.size(directory.resolve("file-" + run)));
    response.getWriter().print(run + " " + session.getAttribute("file") + " " + session.getAttribute("count"));
  }

  @Test
  void aFileThatWasSentIsThereForEachRun() throws Exception {
    SessionCluster[] made = new SessionCluster[1];
    try (SessionCluster cluster = cluster(context -> {
      Wrapper upload =
          Tomcat.addServlet(
              context, "upload", ServletAction.servlet((request, response) -> upload(made[0], request, response, directory)));
      upload.setMultipartConfigElement(new MultipartConfigElement("", -1, -1, 0));
      upload.addMapping("/upload");
    })) {
      made[0] = cluster;
      browser.open(cluster.server(1).url("/shop?do=count"));
      String body =
          "--line\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n" + "x".repeat(20_000) + "\r\n--line--\r\n";
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(cluster.server(1).url("/upload")))
              .header("Content-Type", "multipart/form-data; boundary=line")
              .header("Cookie", "JSESSIONID=" + browser.cookie("JSESSIONID"))
              .POST(HttpRequest.BodyPublishers.ofString(body)).build();
      assertEquals("2 20000 20000 2", browser.send(request).body());
    }
  }
}
