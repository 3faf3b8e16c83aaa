package org.understudy.wsrf.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.test.cluster.Answer;

/** A read of several keys at one replica, and updates of the same resource at another one while it runs. */
class ReadOfOneStateHttpTest {
  private static final String LATER = "2100-01-01T00:00:00Z";

  @TempDir Path directory;

  private static String dial(String operation, String content) {
    return "<d:" + operation + " xmlns:d=\"urn:dial\">" + content + "</d:" + operation + ">";
  }

  @Test
  void aDocumentShowsNoUpdateWithoutTheOneBefore() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, DialService.class, 3, Map.of("understudy.strategy", "group"))) {
      String id = Wsrf.post(site, 1, site.service(), dial("create", "")).between("<return>", "</return>");
      String path = site.service() + "/" + id;
      assertTrue(document(site, path).contains(">0<"));
      Dial.DELAYED.set(true);
      CompletableFuture<Answer> read =
          site.postLater(
              2, path, Soap.envelope("", Wsrf.rp("GetResourcePropertyDocument", "")).getBytes(StandardCharsets.UTF_8),
              "text/xml; charset=UTF-8");
      assertTrue(Dial.READ.tryAcquire(60, TimeUnit.SECONDS), "the document is read");
      assertEquals(200, Wsrf.post(site, 1, path, dial("turn", "<by>5</by>")).status());
      Answer set =
          Wsrf.post(
              site, 1, path,
              Wsrf.rl("SetTerminationTime", "<rl:RequestedTerminationTime>" + LATER + "</rl:RequestedTerminationTime>"));
      assertEquals(200, set.status(), set.text());
      // Replica 2 has applied both when this has returned.
      assertTrue(document(site, path).contains(">5<"));
      Dial.GO.release();
      String document = read.get(60, TimeUnit.SECONDS).body();
      assertTrue(document.contains("2100-01-01") && document.contains(">5<"), document);
    }
  }

  private static String document(ServiceCluster site, String path) {
    return Wsrf.post(site, 2, path, Wsrf.rp("GetResourcePropertyDocument", "")).body();
  }
}
