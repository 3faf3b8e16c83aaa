package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.session.http.HandleCookie;

/** What users do with a browser, at three Tomcats: each request that is meant is executed once. */
class BrowserTest {
  @TempDir
  private static Path directory;

  private static SessionCluster cluster;

  private final Browser browser = new Browser();

  @BeforeAll
  static void start() throws Exception {
    cluster = new SessionCluster(3, directory, context -> SessionServer.servlet(context, "/shop", new ShopServlet()));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static String url(int replica, String query) {
    return cluster.server(replica).url("/shop?" + query);
  }

  private static List<String> together(List<Callable<String>> calls) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(calls.size());
    try {
      List<String> results = new ArrayList<>();
      for (Future<String> result : threads.invokeAll(calls)) {
        results.add(result.get());
      }
      return results;
    } finally {
      threads.shutdown();
    }
  }

  private String text(HttpRequest request) throws Exception {
    HttpResponse<String> response = browser.send(request);
    assertEquals(200, response.statusCode(), response.body());
    return response.body();
  }

  @Test
  void aDoubleClickCountsOnce() throws Exception {
    browser.open(url(1, "do=count"));
    for (int second = 1; second <= 3; second++) {
      HttpRequest click = browser.post(url(1, ""), "do=count&click=" + second);
      HttpRequest again = browser.post(url(second, ""), "do=count&click=" + second);
      List<String> answers = together(List.of(() -> text(click), () -> text(again)));
      String expected = Integer.toString(1 + second);
      assertEquals(List.of(expected, expected), answers);
    }
    assertEquals("4", browser.open(url(2, "do=show&name=count")));
  }

  @Test
  void aReloadAfterALostAnswerGetsIt() throws Exception {
    browser.open(url(1, "do=count"));
    // The other one sends what this browser sends, and this one does not see the answer.
    HttpRequest lost = browser.post(url(1, ""), "do=count&step=two");
    HttpRequest reload = browser.post(url(2, ""), "do=count&step=two");
    assertEquals("2", browser.copy().send(lost).body());
    assertEquals("2", text(reload));
    assertEquals("2", browser.open(url(3, "do=show&name=count")));
    // Seen now: the same once more is meant.
    assertEquals("3", text(browser.post(url(2, ""), "do=count&step=two")));
  }

  @Test
  void aLinkThatChangesTheSessionIsExecutedOnceToo() throws Exception {
    browser.open(url(1, "do=count"));
    HttpRequest lost = browser.get(url(1, "do=count&link"));
    HttpRequest reload = browser.get(url(3, "do=count&link"));
    browser.copy().send(lost);
    assertEquals("2", text(reload));
    assertEquals("3", browser.open(url(3, "do=count&link")));
  }

  @Test
  void anotherLinkAfterALostAnswerComesAfterIt() throws Exception {
    browser.open(url(1, "do=count"));
    HttpRequest lost = browser.post(url(1, ""), "do=count&lost");
    HttpRequest read = browser.get(url(2, "do=show&name=count"));
    HttpRequest update = browser.post(url(3, ""), "do=count&other");
    browser.copy().send(lost);
    assertEquals("2", browser.copy().send(read).body());
    assertEquals("3", text(update));
  }

  @Test
  void twoTabsWithOneHandleAreTwoRequests() throws Exception {
    browser.open(url(1, "do=count"));
    HttpRequest one = browser.get(url(1, "do=count&tab=1"));
    HttpRequest two = browser.get(url(2, "do=count&tab=2"));
    Set<String> answers = new TreeSet<>(together(List.of(() -> text(one), () -> text(two))));
    assertEquals(Set.of("2", "3"), answers);
    assertEquals("3", browser.open(url(3, "do=show&name=count")));
  }

  @Test
  void parallelRequestsOfAPageAreExecutedOnceEach() throws Exception {
    browser.open(url(1, "do=count"));
    List<Callable<String>> calls = new ArrayList<>();
    Set<String> expected = new TreeSet<>();
    for (int i = 0; i < 9; i++) {
      HttpRequest call = browser.get(url(1 + i % 3, "do=count&call=" + i));
      calls.add(() -> text(call));
      expected.add(Integer.toString(2 + i));
    }
    assertEquals(expected, new TreeSet<>(together(calls)));
    assertEquals("10", browser.open(url(1, "do=show&name=count")));
  }

  @Test
  void parallelRequestsForDifferentAttributesLoseNone() throws Exception {
    browser.open(url(1, "do=count"));
    List<Callable<String>> calls = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      HttpRequest call = browser.get(url(1 + i % 3, "do=put&name=n" + i + "&value=v" + i));
      calls.add(() -> text(call));
    }
    together(calls);
    for (int i = 0; i < 6; i++) {
      assertEquals("v" + i, browser.open(url(1 + (i + 1) % 3, "do=show&name=n" + i)));
    }
  }

  @Test
  void aPageFromBeforeSubmitsANewRequestUnlessATokenNamesIt() throws Exception {
    browser.open(url(1, "do=count"));
    Browser before = browser.copy();
    browser.open(url(2, "do=count"));
    // The page is from before, the cookies are the browser's of now.
    assertEquals("3", text(browser.post(url(3, ""), "do=count&page=1")));
    assertEquals("4", text(browser.post(url(3, ""), "do=count&page=1")));
    String form = "do=count&understudy.request=token-of-this-page";
    assertEquals("5", text(browser.post(url(1, ""), form)));
    assertEquals("5", text(browser.post(url(2, ""), form)));
    HttpResponse<String> other = browser.send(browser.post(url(2, ""), form + "&changed"));
    assertEquals(409, other.statusCode());
    // A request with an older handle is a new one, and comes after the others.
    assertEquals("6", before.send(before.post(url(1, ""), "do=count&page=9")).body());
  }

  /** Otherwise whoever knows the token would get the session of another visitor. */
  @Test
  void aTokenWithoutASessionIdentifiesNothing() throws Exception {
    Browser other = new Browser();
    String form = "do=count&understudy.request=token-of-a-static-page";
    assertEquals("1", text(browser.post(url(1, ""), form)));
    assertEquals("1", other.send(other.post(url(1, ""), form)).body());
    assertNotEquals(browser.cookie("JSESSIONID"), other.cookie("JSESSIONID"));
  }

  @Test
  void aForgedHandleCountsAsNone() throws Exception {
    browser.open(url(1, "do=count"));
    String handle = browser.cookie(HandleCookie.NAME);
    for (String forged : List.of("99999.99999-0" + handle.substring(handle.lastIndexOf('.')), "x", handle + "A", "")) {
      browser.setCookie(HandleCookie.NAME, forged);
      HttpResponse<String> response = browser.send(browser.post(url(2, ""), "do=count"));
      assertEquals(200, response.statusCode(), forged);
    }
    assertEquals("5", browser.open(url(3, "do=show&name=count")));
    // Nor does the handle of another session.
    Browser stranger = new Browser();
    stranger.open(url(1, "do=count"));
    stranger.setCookie(HandleCookie.NAME, handle);
    assertEquals("2", stranger.send(stranger.post(url(1, ""), "do=count")).body());
    assertEquals("3", stranger.send(stranger.post(url(1, ""), "do=count")).body());
  }

  /** The page that the poll fills was loaded before the first click. */
  @Test
  void anAnswerThatArrivesLateLosesNoRequestThatIsMeant() throws Exception {
    browser.open(url(1, "do=count"));
    HttpRequest poll = browser.get(url(2, "do=show&name=count"));
    assertEquals("2", text(browser.post(url(1, ""), "do=count")));
    HttpResponse<String> late = browser.delayed(poll);
    assertEquals("2", late.body());
    assertEquals("3", text(browser.post(url(1, ""), "do=count")));
    browser.take(late);
    assertEquals("4", text(browser.post(url(1, ""), "do=count")));
  }

  @Test
  void aStoredAnswerThatArrivesLateLosesNoRequestThatIsMeant() throws Exception {
    browser.open(url(1, "do=count"));
    HttpRequest click = browser.post(url(1, ""), "do=count");
    HttpRequest again = browser.post(url(2, ""), "do=count");
    assertEquals("2", text(click));
    HttpResponse<String> late = browser.delayed(again);
    assertEquals("2", late.body());
    assertEquals("3", text(browser.post(url(1, ""), "do=count")));
    browser.take(late);
    assertEquals("4", text(browser.post(url(1, ""), "do=count")));
  }

  /** A script asks for what it shows already, between the lost answer and the reload. */
  @Test
  void aReadOfWhatTheBrowserHasSeenLeavesALostRequestRecognisable() throws Exception {
    browser.open(url(1, "do=put&name=user&value=alice"));
    browser.open(url(1, "do=count"));
    browser.copy().send(browser.post(url(1, ""), "do=count"));
    assertEquals("alice", browser.open(url(2, "do=show&name=user")));
    assertEquals("2", text(browser.post(url(3, ""), "do=count")));
    assertEquals("2", browser.open(url(3, "do=show&name=count")));
  }

  /** The script shows the lost request's effect: the same once more is meant. */
  @Test
  void aReadOfWhatTheBrowserHasNotSeenEndsTheLostRequest() throws Exception {
    browser.open(url(1, "do=count"));
    browser.copy().send(browser.post(url(1, ""), "do=count"));
    assertEquals("2", browser.open(url(2, "do=show&name=count")));
    assertEquals("3", text(browser.post(url(3, ""), "do=count")));
  }

  @Test
  void anUnknownSessionIdIsNeverAdopted() throws Exception {
    browser.setCookie("JSESSIONID", "0123456789ABCDEF0123456789ABCDEF");
    assertEquals("1", browser.open(url(2, "do=count")));
    assertNotEquals("0123456789ABCDEF0123456789ABCDEF", browser.cookie("JSESSIONID"));
    assertEquals("2", browser.open(url(1, "do=count")));
  }

  @Test
  void errorsAndRedirectsAreStoredAnswersToo() throws Exception {
    browser.open(url(1, "do=count"));
    HttpRequest gone = browser.post(url(1, ""), "do=fail");
    HttpRequest redirect = browser.post(url(2, ""), "do=redirect");
    HttpRequest again = browser.post(url(3, ""), "do=redirect");
    HttpResponse<String> first = browser.copy().send(redirect);
    HttpResponse<String> second = browser.send(again);
    assertEquals(302, first.statusCode());
    assertEquals(302, second.statusCode());
    assertEquals("2", browser.open(url(3, "do=show&name=count")));
    HttpResponse<String> failed = browser.send(gone);
    assertEquals(410, failed.statusCode());
    assertTrue(failed.body().contains("gone for good"), failed.body());
  }

  @Test
  void aRequestWithoutASessionOrWithoutAChangeIsNotMulticast() throws Exception {
    browser.open(url(1, "do=count"));
    browser.open(url(1, "do=show&name=count"));
    long before = cluster.server(1).replica().status().received();
    Browser stranger = new Browser();
    for (int i = 0; i < 3; i++) {
      assertEquals("nothing", stranger.open(url(1, "do=nothing")));
      assertEquals("nothing", browser.open(url(1, "do=nothing")));
      assertEquals("1", browser.open(url(1, "do=show&name=count")));
    }
    assertEquals(before, cluster.server(1).replica().status().received());
    assertNull(stranger.cookie("JSESSIONID"));
  }
}
