package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random requests of one browser: two Tomcats in turn answer as one Tomcat does, and listeners hear the same. */
class PlainTomcatComparisonTest {
  private static final int REQUESTS = 120;
  private static final Pattern ID = Pattern.compile("[0-9A-F]{32}");
  private static final List<String> OPS =
      List.of(
          "get:a", "get:b", "get:c", "get:page", "set:a:1", "set:a:2", "set:b:1", "set:b:2", "remove:a", "remove:b", "remove:c", "null:a",
          "null:c", "bind:a:1", "bind:c:1", "bind:c:2", "add:b:1", "add:b:2", "add:d:1", "add:d:2", "current", "current", "valid",
          "requested", "user", "rename", "login", "logout", "end", "end", "interval:77", "interval:0", "interval:-1", "new", "hold", "held",
          "encode", "forward", "include", "named", "error", "redirect");

  private static final Side PLAIN = new Side();
  private static final Side REPLICATED = new Side();

  @TempDir
  private static Path directory;

  private static Tomcat tomcat;
  private static SessionCluster cluster;

  /** One of the two sides: where requests go, what listeners have heard, and names for the ids in the order of their use. */
  private static final class Side {
    final List<String> events = new CopyOnWriteArrayList<>();
    final Map<String, String> ids = new HashMap<>();
    private Browser browser;

    void begin() {
      browser = new Browser();
      ids.clear();
    }

    void application(Context context) {
      context.getServletContext().setAttribute(SessionScript.EVENTS, events);
      context.setRealm(new OneUser());
      context.addApplicationListener(SessionScript.Recorder.class.getName());
      ErrorPage page = new ErrorPage();
      page.setErrorCode(418);
      page.setLocation("/script");
      context.addErrorPage(page);
      SessionServer.servlet(context, "/script", new SessionScript());
      Tomcat.addServlet(context, "shop", new ShopServlet());
    }

    String named(String text) {
      Matcher id = ID.matcher(text);
      return id.replaceAll(found -> ids.computeIfAbsent(found.group(), unseen -> "session" + ids.size()));
    }

    /** What is to be the same at both sides. */
    String send(String url) throws Exception {
      events.clear();
      HttpResponse<String> answer = browser.send(browser.get(url));
      List<String> cookies = answer.headers().allValues("Set-Cookie").stream().filter(cookie -> cookie.startsWith("JSESSIONID")).toList();
      return named(
          answer.statusCode() + " " + answer.headers().firstValue("Location").map(at -> at.replaceAll(".*/", "")).orElse("") + "\n"
              + answer.body() + "\ncookies " + cookies + "\nevents " + events);
    }
  }

  private static List<String> ops(Random random) {
    List<String> ops = new ArrayList<>();
    for (int left = 1 + random.nextInt(6); left > 0; left--) {
      ops.add(OPS.get(random.nextInt(OPS.size())));
    }
    return ops;
  }

  @BeforeAll
  static void start() throws Exception {
    tomcat = new Tomcat();
    tomcat.setBaseDir(Files.createDirectories(directory.resolve("plain")).toString());
    tomcat.setPort(0);
    tomcat.getConnector();
    PLAIN.application(tomcat.addContext("", directory.toString()));
    tomcat.start();
    cluster = new SessionCluster(2, directory, REPLICATED::application);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
    tomcat.stop();
    tomcat.destroy();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void randomRequests(long seed) throws Exception {
    Random random = new Random(seed);
    PLAIN.begin();
    REPLICATED.begin();
    for (int i = 0; i < REQUESTS; i++) {
      if (random.nextInt(12) == 0) {
        String id = random.nextBoolean() ? "unknown" : "";
        PLAIN.browser.setCookie("JSESSIONID", id);
        REPLICATED.browser.setCookie("JSESSIONID", id);
      }
      List<String> ops = ops(random);
      String path = "/script?number=" + i + "&ops=" + String.join("+", ops);
      int replica = 1 + random.nextInt(2);
      String expected = PLAIN.send("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path);
      assertEquals(expected, REPLICATED.send(cluster.server(replica).url(path)), "seed " + seed + ", request " + i + ": " + ops);
    }
  }
}
