package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.catalina.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;

/** The end of expired sessions, which no thread of Tomcat waits for. */
class ExpiryTest {
  private static final CountDownLatch RETURNED = new CountDownLatch(1);
  private static final AtomicBoolean SEEN = new AtomicBoolean();
  private static final AtomicReference<ClassLoader> LOADER = new AtomicReference<>();

  @TempDir
  private Path directory;

  /** Ends when Tomcat's thread has returned. */
  public static final class SlowListener implements HttpSessionListener {
    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
      LOADER.set(Thread.currentThread().getContextClassLoader());
      try {
        SEEN.set(RETURNED.await(10, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void application(Context context) {
    SessionServer.servlet(context, "/shop", new ShopServlet());
  }

  private static String expired(SessionCluster cluster) throws Exception {
    Browser browser = new Browser();
    browser.open(cluster.server(1).url("/shop?do=count"));
    browser.open(cluster.server(1).url("/shop?do=short"));
    String id = browser.cookie("JSESSIONID");
    for (int replica = 1; replica <= 2; replica++) {
      SessionTimes times = cluster.server(replica).manager().times();
      Condition.await("the end of the interval", () -> times.expired(System.currentTimeMillis()).contains(id));
    }
    return id;
  }

  private static void processExpires(SessionCluster cluster) {
    for (int replica = 1; replica <= 2; replica++) {
      cluster.server(replica).manager().processExpires();
    }
  }

  @Test
  void tomcatsThreadDoesNotWaitForTheEndOfASession() throws Exception {
    try (SessionCluster cluster =
        new SessionCluster(2, directory, context -> {
          application(context);
          context.addApplicationListener(SlowListener.class.getName());
        })) {
      String id = expired(cluster);
      processExpires(cluster);
      RETURNED.countDown();
      Condition.await("the end of the session", () -> !cluster.server(1).manager().isKnown(id));
      assertTrue(SEEN.get());
      Context context = cluster.server(1).manager().getContext();
      Context other = cluster.server(2).manager().getContext();
      ClassLoader loader = LOADER.get();
      assertTrue(loader == context.getLoader().getClassLoader() || loader == other.getLoader().getClassLoader(), () -> loader.toString());
    }
  }

  @Test
  void aSessionThatARequestUsesIsLeftToTheNextCheck() throws Exception {
    try (SessionCluster cluster = new SessionCluster(2, directory, ExpiryTest::application)) {
      String used = expired(cluster);
      String unused = expired(cluster);
      for (int replica = 1; replica <= 2; replica++) {
        assertNull(cluster.server(replica).manager().locks().take(used, Duration.ZERO));
      }
      processExpires(cluster);
      Condition.await("the end of the other session", () -> !cluster.server(1).manager().isKnown(unused));
      assertTrue(cluster.server(1).manager().isKnown(used));
      for (int replica = 1; replica <= 2; replica++) {
        cluster.server(replica).manager().locks().release(used);
      }
      Condition.await("the end of the session", () -> {
        processExpires(cluster);
        return !cluster.server(1).manager().isKnown(used);
      });
      Condition.await("the end of the locks", () -> cluster.server(1).manager().locks().size() == 0);
      assertFalse(cluster.server(1).manager().locks().isUsed(used));
    }
  }
}
