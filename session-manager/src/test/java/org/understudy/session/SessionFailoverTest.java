package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;
import org.understudy.test.cluster.NoticesSilence;

/** Replicas that end and come back while browsers use their sessions. */
class SessionFailoverTest {
  private static final int REQUESTS = 60;

  @TempDir
  private Path directory;

  private SessionCluster cluster() throws Exception {
    return new SessionCluster(3, directory, context -> SessionServer.servlet(context, "/shop", new ShopServlet()));
  }

  /** Presses a button until there is an answer, at one replica after another, as a user does who reloads. */
  private static String persist(SessionCluster cluster, Browser browser, int first, String form) {
    String[] answer = new String[1];
    AtomicInteger attempt = new AtomicInteger(first);
    Condition.await(
        "an answer",
        () -> {
          String url = cluster.server(1 + attempt.getAndIncrement() % 3).url("/shop");
          HttpRequest request = browser.post(url, form);
          try {
            HttpResponse<String> response = browser.send(request);
            answer[0] = response.statusCode() == 200 ? response.body() : null;
          } catch (IOException e) {
            answer[0] = null;
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return answer[0] != null;
        });
    return answer[0];
  }

  @Test
  @NoticesSilence(because = "a replica that is left out twice waits for a multiple of the suspicion time")
  void aKillLosesNothingAndRepeatsNothing() throws Exception {
    try (SessionCluster cluster = cluster()) {
      Browser browser = new Browser();
      browser.open(cluster.server(2).url("/shop?do=count"));
      AtomicInteger answered = new AtomicInteger(1);
      CompletableFuture<Void> user =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < REQUESTS; i++) {
                  String expected = Integer.toString(answered.get() + 1);
                  assertEquals(expected, persist(cluster, browser, i, "do=count&request=" + i));
                  answered.incrementAndGet();
                }
              });
      Condition.await("some requests", () -> answered.get() > REQUESTS / 4 || user.isDone());
      cluster.server(1).kill();
      cluster.awaitView(2, 2, 3);
      user.join();
      assertEquals(Integer.toString(REQUESTS + 1), browser.open(cluster.server(3).url("/shop?do=show&name=count")));
      comesBack(cluster, browser);
      refusesInAMinority(cluster, browser);
    }
  }

  /** In the later view, a script asks for what it shows already, and the user reloads the page. */
  @Test
  void afterAFailoverAReadOfWhatTheBrowserHasSeenLeavesALostRequestRecognisable() throws Exception {
    try (SessionCluster cluster = cluster()) {
      Browser browser = new Browser();
      browser.open(cluster.server(1).url("/shop?do=put&name=user&value=alice"));
      browser.open(cluster.server(1).url("/shop?do=count"));
      browser.copy().send(browser.post(cluster.server(1).url("/shop"), "do=count"));
      cluster.server(1).kill();
      cluster.awaitView(2, 2, 3);
      assertEquals("alice", browser.open(cluster.server(2).url("/shop?do=show&name=user")));
      assertEquals("2", browser.send(browser.post(cluster.server(3).url("/shop"), "do=count")).body());
    }
  }

  /** A replica that was killed has the session again, from the others. */
  private static void comesBack(SessionCluster cluster, Browser browser) throws Exception {
    cluster.restart(1);
    cluster.awaitView(3, 1, 2, 3);
    assertEquals(Integer.toString(REQUESTS + 1), browser.open(cluster.server(1).url("/shop?do=show&name=count")));
    assertEquals(Integer.toString(REQUESTS + 2), browser.open(cluster.server(1).url("/shop?do=count")));
  }

  /** One of three serves pages without a session, and no sessions. */
  private static void refusesInAMinority(SessionCluster cluster, Browser browser) throws Exception {
    cluster.server(1).kill();
    cluster.server(2).kill();
    // An update that was proposed before would wait for its deadline.
    Condition.await("the loss of the majority", () -> !cluster.server(3).replica().status().writable());
    String left = cluster.server(3).url("/shop");
    Condition.await(
        "the refusal",
        () -> {
          try {
            return browser.send(browser.post(left, "do=count&minority")).headers().firstValue("Understudy-Failure").isPresent();
          } catch (IOException e) {
            return false;
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    HttpResponse<String> refused = browser.send(browser.post(left, "do=count&minority"));
    assertEquals(503, refused.statusCode());
    assertEquals("nothing", new Browser().open(left + "?do=nothing"));
    HttpResponse<String> created = new Browser().send(new Browser().get(left + "?do=count"));
    assertEquals(503, created.statusCode(), created.body());
  }
}
