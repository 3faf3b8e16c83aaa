package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.catalina.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;

/** What operators and load balancers see of replicated sessions. */
class SessionManagementTest {
  private static final String LIVE = "/understudy/health/live";
  private static final String READY = "/understudy/health/ready";
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  @TempDir
  private Path directory;

  private final Browser browser = new Browser();

  private static void application(Context context) {
    SessionServer.servlet(context, "/shop", new ShopServlet());
  }

  private HttpResponse<String> page(SessionCluster cluster, int replica, String path) throws Exception {
    return browser.send(browser.get(cluster.server(replica).url(path)));
  }

  /** The page, when it says that the replica is ready. */
  private HttpResponse<String> readyPage(SessionCluster cluster) {
    List<HttpResponse<String>> pages = new ArrayList<>();
    Condition.await(
        "readiness",
        () -> {
          try {
            pages.add(page(cluster, 1, READY));
          } catch (Exception e) {
            throw new IllegalStateException("The page cannot be read.", e);
          }
          return pages.get(pages.size() - 1).statusCode() == 200;
        });
    return pages.get(pages.size() - 1);
  }

  @Test
  void anOperatorSeesAReplicaAndRecoversAGroupThatHasLostItsRecords() throws Exception {
    Set<ObjectName> before = BEANS.queryNames(new ObjectName("org.understudy:*"), null);
    try (SessionCluster cluster =
        new SessionCluster(3, directory, SessionManagementTest::application, manager -> manager.setGroup("managed"))) {
      // A primary is ready under a lease, which its first heartbeats bring.
      HttpResponse<String> ready = readyPage(cluster);
      assertTrue(ready.body().startsWith("{\"group\":\"managed\",\"replica\":1,\"pid\":" + ProcessHandle.current().pid()), ready.body());
      assertTrue(ready.body().contains("\"members\":[1, 2, 3]") && ready.body().contains("\"ready\":true"), ready.body());
      assertEquals(404, page(cluster, 1, "/understudy/health/other").statusCode());
      counts(cluster);
      browser.open(cluster.server(3).url("/shop?do=count"));
      loseRecords(cluster);
      assertEquals(503, page(cluster, 1, READY).statusCode());
      assertEquals(200, page(cluster, 1, LIVE).statusCode());
      recover();
      assertEquals("2", browser.open(cluster.server(1).url("/shop?do=count")));
      // While the others join, the replica is not ready for the moments of a view change.
      cluster.awaitView(3, 1, 2, 3);
      readyPage(cluster);
      assertEquals("3", browser.open(cluster.server(2).url("/shop?do=count")));
    }
    assertEquals(before, BEANS.queryNames(new ObjectName("org.understudy:*"), null), "gone with the web application");
  }

  /** Replicas 2 and 3 end, and come back without their records: they have no vote. */
  private void loseRecords(SessionCluster cluster) throws Exception {
    for (int replica = 2; replica <= 3; replica++) {
      cluster.server(replica).kill();
    }
    Condition.await("the loss of the majority", () -> !cluster.server(1).replica().status().writable());
    for (int replica = 2; replica <= 3; replica++) {
      try (Stream<Path> files = Files.walk(directory.resolve("replica-" + replica + "/record"))) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
      cluster.restart(replica);
    }
  }

  /** What {@code scripts/recover} does. */
  private static void recover() throws Exception {
    ObjectName replica = new ObjectName("org.understudy:type=Replica,group=\"managed\",replica=1");
    String[] survey = new String[1];
    Condition.await(
        "an answer of the replicas without records",
        () -> {
          try {
            survey[0] = (String) BEANS.invoke(replica, "survey", new Object[0], new String[0]);
          } catch (JMException e) {
            throw new IllegalStateException(e);
          }
          return survey[0].lines().filter(line -> line.contains("has no membership record")).count() == 2;
        });
    StringJoiner lost = new StringJoiner(",");
    Matcher incarnations = Pattern.compile("replica (2|3): incarnation (-?\\d+)").matcher(survey[0]);
    while (incarnations.find()) {
      lost.add(incarnations.group(1) + "=" + incarnations.group(2));
    }
    String done = (String) BEANS.invoke(replica, "recover", new Object[] {lost.toString()}, new String[] {String.class.getName()});
    assertTrue(done.startsWith("Recovered: replica 1"), done);
  }

  private void counts(SessionCluster cluster) throws Exception {
    ObjectName sessions = new ObjectName("org.understudy:type=HttpSessions,group=\"managed\",replica=1");
    Browser lost = new Browser();
    lost.open(cluster.server(1).url("/shop?do=count"));
    lost.copy().send(lost.post(cluster.server(1).url("/shop"), "do=count&again"));
    lost.copy().send(lost.post(cluster.server(1).url("/shop"), "do=count&again"));
    lost.open(cluster.server(1).url("/shop?do=show&name=count"));
    assertEquals(1, BEANS.getAttribute(sessions, "Sessions"));
    assertEquals(2L, BEANS.getAttribute(sessions, "Updates"));
    assertEquals(1L, BEANS.getAttribute(sessions, "RepeatedRequests"));
    assertEquals(1L, BEANS.getAttribute(sessions, "Reads"));
    assertEquals(0, BEANS.getAttribute(sessions, "LockedSessions"));
  }
}
