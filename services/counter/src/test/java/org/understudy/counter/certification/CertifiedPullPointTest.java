package org.understudy.counter.certification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/** Replicas that empty one pull point at the same time: they read a table that follows the state, and each run is certified. */
class CertifiedPullPointTest {
  private static final int REPLICAS = 3;
  private static final int MESSAGES = 30;
  private static final Pattern PRICE = Pattern.compile("price>(\\d+)<");

  @TempDir Path directory;
  private TestCluster cluster;

  @ParameterizedTest
  @ValueSource(strings = {"certification", "group"})
  void everyMessageIsTakenOnce(String strategy) throws Exception {
    Map<String, String> settings = Map.of("understudy.strategy", strategy, "understudy.channel", "memory", "understudy.group", "pullpoint");
    try (TestCluster opened = new TestCluster(directory, new CounterApplication(), REPLICAS, settings)) {
      cluster = opened;
      Answer made = post(1, "/services/CreatePullPoint", wsn("CreatePullPoint", ""));
      String point = "/services/PullPoint/" + made.between("/services/PullPoint/", "<");
      for (int i = 1; i <= MESSAGES; i++) {
        Answer taken = post(1 + i % REPLICAS, point, wsn("Notify",
            "<w:NotificationMessage><w:Message><price>" + i + "</price></w:Message></w:NotificationMessage>"));
        assertEquals(202, taken.status(), taken.text());
      }
      int stale = CertifyingCore.STALE.get();
      List<CompletableFuture<List<Integer>>> clients = new ArrayList<>();
      for (int replica = 1; replica <= REPLICAS; replica++) {
        int at = replica;
        clients.add(CompletableFuture.supplyAsync(() -> takeAll(at, point)));
      }
      List<Integer> taken = new ArrayList<>();
      for (CompletableFuture<List<Integer>> client : clients) {
        taken.addAll(client.get(2, TimeUnit.MINUTES));
      }
      assertEquals(IntStream.rangeClosed(1, MESSAGES).boxed().toList(), taken.stream().sorted().toList());
      assertTrue(strategy.equals("group") || CertifyingCore.STALE.get() > stale, "no two replicas took at the same time");
    }
  }

  /** One message at a time, until there is none. */
  private List<Integer> takeAll(int replica, String point) {
    List<Integer> prices = new ArrayList<>();
    while (true) {
      Answer got = post(replica, point, wsn("GetMessages", "<w:MaximumNumber>1</w:MaximumNumber>"));
      assertEquals(200, got.status(), got.text());
      Matcher price = PRICE.matcher(got.text());
      if (!price.find()) {
        return prices;
      }
      prices.add(Integer.valueOf(price.group(1)));
    }
  }

  private static String wsn(String operation, String content) {
    return "<w:" + operation + " xmlns:w=\"http://docs.oasis-open.org/wsn/b-2\">" + content + "</w:" + operation + ">";
  }

  private Answer post(int replica, String path, String body) {
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>" + body
        + "</e:Body></e:Envelope>";
    return cluster.post(replica, path, envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }
}
