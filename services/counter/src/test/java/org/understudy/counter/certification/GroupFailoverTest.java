package org.understudy.counter.certification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/** The strategy {@code group} in three containers, of which the sequencer stops while the others execute, and returns. */
class GroupFailoverTest {
  private static final int ADDS = 60;
  private static final Pattern TOTAL = Pattern.compile("<(?:total|value|return)>(\\d+)<");

  @TempDir Path directory;

  private TestCluster cluster;

  @Test
  void updatesGoOnWithoutTheSequencerAndNoneIsLostOrRepeated() throws Exception {
    Map<String, String> settings = Map.of("understudy.strategy", "group", "understudy.group", "failover");
    try (TestCluster opened = new TestCluster(directory, new CounterApplication(), 3, settings)) {
      cluster = opened;
      Answer made = send(2, "/services/CounterService", "createCounter", "urn:failover:create", "");
      String counter =
          "/services/CounterService/" + made.between("/counter/services/CounterService/", "<");
      CompletableFuture<Void> second = CompletableFuture.runAsync(() -> add(counter, 2));
      CompletableFuture<Void> third = CompletableFuture.runAsync(() -> add(counter, 3));
      Condition.await("some updates", () -> total(send(2, counter, "getValue", "", "")) > ADDS / 4);
      cluster.stop(1);
      second.join();
      third.join();
      assertEquals(2 * ADDS, total(send(3, counter, "getValue", "", "")));
      cluster.start(1);
      cluster.awaitReady(1);
      Condition.await("the joiner's updates", () -> send(1, counter, "add", "urn:failover:last", "<value>1</value>").status() == 200);
      assertEquals(2 * ADDS + 1, total(send(1, counter, "getValue", "", "")));
    }
  }

  /** Sends each add until it has an answer, under one MessageID. */
  private void add(String counter, int replica) {
    for (int i = 1; i <= ADDS; i++) {
      String id = "urn:failover:" + replica + ":" + i;
      Condition.await(id, () -> send(replica, counter, "add", id, "<value>1</value>").status() == 200);
    }
  }

  private Answer send(int replica, String path, String operation, String messageId, String content) {
    String header =
        messageId.isEmpty() ? "" : "<MessageID xmlns=\"http://www.w3.org/2005/08/addressing\">" + messageId + "</MessageID>";
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header>" + header
        + "</e:Header><e:Body><" + operation + " xmlns=\"http://counter.com\">" + content + "</" + operation
        + "></e:Body></e:Envelope>";
    return cluster.post(replica, path, envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  private static long total(Answer answer) {
    Matcher total = TOTAL.matcher(answer.text());
    assertTrue(total.find(), answer.text());
    return Long.parseLong(total.group(1));
  }
}
