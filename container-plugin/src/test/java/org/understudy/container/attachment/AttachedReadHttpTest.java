package org.understudy.container.attachment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.Soap;
import org.understudy.container.service.SlowUpdates;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.strategy.ForEachStrategy;

/** A read at endpoints that the application publishes, while an update of the service object runs. */
@ForEachStrategy
class AttachedReadHttpTest {
  /** Replicated before CXF. */
  private static final String PLAIN = "/soap/plain";
  /** Replicated after CXF, because of its handler. */
  private static final String HANDLED = "/soap/handled";
  /** Another endpoint of the object of {@link #HANDLED}, replicated before CXF. */
  private static final String SHARED = "/soap/shared";

  @TempDir private Path directory;

  @BeforeEach
  void reset() {
    SlowUpdates.reset();
  }

  private static void publish(Bus bus) {
    new EndpointImpl(bus, new SlowAttachedLedger()).publish("/plain");
    SlowAttachedLedger ledger = new SlowAttachedLedger();
    EndpointImpl handled = new EndpointImpl(bus, ledger);
    handled.getHandlers().add(new KeyHandler());
    handled.publish("/handled");
    new EndpointImpl(bus, ledger).publish("/shared");
  }

  private static CompletableFuture<Answer> call(TestCluster site, int replica, String path, String operation, String content) {
    String body = "<l:" + operation + " xmlns:l=\"urn:ledger\">" + content + "</l:" + operation + ">";
    byte[] envelope = Soap.envelope("", body).getBytes(StandardCharsets.UTF_8);
    return site.postLater(replica, path, envelope, "text/xml; charset=UTF-8", "Key", "open sesame");
  }

  private static String result(CompletableFuture<Answer> called) throws Exception {
    Answer answer = called.get(30, TimeUnit.SECONDS);
    assertEquals(200, answer.status(), answer.text());
    return answer.text().contains("<return/>") ? "" : answer.between("<return>", "</return>");
  }

  private static void readDuringAnUpdate(TestCluster site, String updated, String... read) throws Exception {
    int primary = site.primary();
    String stable = "";
    for (String entry : new String[] {"a", "b"}) {
      CompletableFuture<Answer> slow = call(site, primary, updated, "addSlowly", "<entry>" + entry + "</entry>");
      assertTrue(SlowUpdates.CHANGED.tryAcquire(30, TimeUnit.SECONDS));
      for (String path : read) {
        assertEquals(stable, result(call(site, primary, path, "entries", "")), path);
        assertEquals(stable, result(call(site, site.backup(), path, "entries", "")), path);
      }
      assertFalse(slow.isDone());
      SlowUpdates.RELEASED.release();
      stable = (stable + " " + entry).strip();
      assertEquals(Integer.toString((stable.length() + 1) / 2), result(slow));
      for (String path : read) {
        assertEquals(stable, result(call(site, primary, path, "entries", "")), path);
      }
    }
  }

  @Test
  void aReadGoesOnWithACopyOfTheLastStableUpdate() throws Exception {
    try (TestCluster site = new TestCluster(directory, new OwnServlet(AttachedReadHttpTest::publish), 3, Map.of())) {
      readDuringAnUpdate(site, PLAIN, PLAIN);
      readDuringAnUpdate(site, HANDLED, HANDLED, SHARED);
      assertEquals("a b", result(call(site, site.backup(), PLAIN, "entries", "")));
      assertEquals(6, SlowUpdates.CONSTRUCTED.get(), "no constructor runs for a copy");
    }
  }
}
