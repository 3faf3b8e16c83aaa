package org.understudy.counter.certification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;
import org.understudy.test.channel.SpreadDaemons;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.network.FreePorts;

/** The strategy {@code group} over group channels, in three containers: a channel ends, the sequencer stops, and nothing is lost. */
class GroupOverChannelTest {
  private static final int ADDS = 40;
  private static final Pattern TOTAL = Pattern.compile("<(?:total|value|return)>(\\d+)<");

  @TempDir Path directory;

  /** Something that is made to fail. */
  @FunctionalInterface
  private interface Failure {
    void happen() throws Exception;
  }

  private TestCluster cluster;

  @Test
  void updatesTravelByJGroupsAndSurviveTheEndOfAChannelAndOfTheSequencer() throws Exception {
    String addresses =
        "1=127.0.0.1:" + FreePorts.next() + ",2=127.0.0.1:" + FreePorts.next() + ",3=127.0.0.1:" + FreePorts.next();
    Map<String, String> settings = Map.of("understudy.channel.jgroups.addresses", addresses);
    try (TestCluster opened = new TestCluster(directory, new CounterApplication(), 3, settings(WatchedJGroups.NAME, settings))) {
      cluster = opened;
      play(() -> WatchedChannels.of(1).fail());
    }
  }

  @Test
  @EnabledIfEnvironmentVariable(named = SpreadDaemons.PROGRAM, matches = ".+", disabledReason = SpreadDaemons.NO_PROGRAM)
  void updatesTravelBySpreadAndSurviveTheEndOfADaemonAndOfTheSequencer() throws Exception {
    try (SpreadDaemons daemons = new SpreadDaemons(Files.createDirectory(directory.resolve("daemons")))) {
      for (int replica = 1; replica <= 3; replica++) {
        WatchedSpread.DAEMONS.put(replica, daemons.address(replica));
      }
      try (TestCluster opened = new TestCluster(directory, new CounterApplication(), 3, settings(WatchedSpread.NAME, Map.of()))) {
        cluster = opened;
        play(() -> {
          daemons.kill(1);
          daemons.start(1);
        });
      }
    }
  }

  private static Map<String, String> settings(String channel, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.putAll(Map.of("understudy.strategy", "group", "understudy.group", channel, "understudy.channel", channel));
    return settings;
  }

  /** @param failure ends the channel of the first replica; it is opened again */
  private void play(Failure failure) throws Exception {
    awaitChannel();
    Answer made = send(2, "/services/CounterService", "createCounter", "urn:channel:create", "");
    String counter = "/services/CounterService/" + made.between("/counter/services/CounterService/", "<");
    List<Integer> before = delivered();
    addAtAll(counter, "first", 1, 2, 3);
    assertEquals(3 * ADDS, total(counter));
    List<Integer> after = delivered();
    for (int replica = 0; replica < 3; replica++) {
      int count = after.get(replica) - before.get(replica);
      assertTrue(count >= 3 * ADDS, "Replica " + (replica + 1) + " received " + count + " proposals by the channel.");
    }

    failure.happen();
    addAtAll(counter, "second", 1, 2, 3);
    assertEquals(6 * ADDS, total(counter));
    awaitChannel();

    CompletableFuture<Void> others = CompletableFuture.runAsync(() -> addAtAll(counter, "third", 2, 3));
    Condition.await("some updates", () -> total(counter) > 6 * ADDS + ADDS / 4);
    cluster.stop(1);
    others.join();
    assertEquals(8 * ADDS, total(counter));
    cluster.start(1);
    cluster.awaitReady(1);
    add(counter, "last", 1, 1);
    assertEquals(8 * ADDS + 1, total(counter));
  }

  private static void awaitChannel() {
    Condition.await("all replicas in the channel's view", () ->
        Stream.of(1, 2, 3).allMatch(replica -> WatchedChannels.of(replica).members() == 3));
  }

  private static List<Integer> delivered() {
    return Stream.of(1, 2, 3).map(replica -> WatchedChannels.of(replica).delivered()).toList();
  }

  private void addAtAll(String counter, String round, int... replicas) {
    CompletableFuture<?>[] clients = new CompletableFuture<?>[replicas.length];
    for (int i = 0; i < replicas.length; i++) {
      int replica = replicas[i];
      clients[i] = CompletableFuture.runAsync(() -> add(counter, round, replica, ADDS));
    }
    CompletableFuture.allOf(clients).join();
  }

  /** Sends each add until it has an answer, under one MessageID. */
  private void add(String counter, String round, int replica, int count) {
    for (int i = 1; i <= count; i++) {
      String id = "urn:channel:" + round + ":" + replica + ":" + i;
      Condition.await(id, () -> send(replica, counter, "add", id, "<value>1</value>").status() == 200);
    }
  }

  private long total(String counter) {
    Matcher total = TOTAL.matcher(send(2, counter, "getValue", "", "").text());
    assertTrue(total.find());
    return Long.parseLong(total.group(1));
  }

  private Answer send(int replica, String path, String operation, String messageId, String content) {
    String header =
        messageId.isEmpty() ? "" : "<MessageID xmlns=\"http://www.w3.org/2005/08/addressing\">" + messageId + "</MessageID>";
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header>" + header
        + "</e:Header><e:Body><" + operation + " xmlns=\"http://counter.com\">" + content + "</" + operation
        + "></e:Body></e:Envelope>";
    return cluster.post(replica, path, envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }
}
