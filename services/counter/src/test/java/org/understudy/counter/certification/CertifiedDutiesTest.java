package org.understudy.counter.certification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/** Where every replica serves updates, one of them delivers notifications and ends what is due, for all. */
class CertifiedDutiesTest {
  private static final int REPLICAS = 3;
  private static final int ADDS = 30;
  private static final Pattern PATH = Pattern.compile("Address>[^<]*/counter(/[^<]*)<");
  private static final Pattern NEW_VALUE = Pattern.compile("NewValues><[^>]*>(\\d+)<");

  @TempDir Path directory;

  private final List<Integer> heard = new CopyOnWriteArrayList<>();
  private TestCluster cluster;

  @ParameterizedTest
  @ValueSource(strings = {"certification", "group"})
  void oneReplicaDeliversWhatAnyReplicaUpdatedAndEndsWhatIsDue(String strategy) throws Exception {
    HttpServer consumer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    consumer.createContext("/", this::take);
    consumer.start();
    Map<String, String> settings = Map.of("understudy.strategy", strategy, "understudy.channel", "memory", "understudy.group", "duties");
    try (TestCluster opened = new TestCluster(directory, new CounterApplication(), REPLICAS, settings)) {
      cluster = opened;
      assertEveryReplicaIsWritableAndOneHasTheDuties();
      String counter =
          pathIn(post(1, "/services/CounterService", "<createCounter xmlns='http://counter.com'/>"));
      String address = "http://127.0.0.1:" + consumer.getAddress().getPort() + "/";
      post(2, counter, "<w:Subscribe xmlns:w='http://docs.oasis-open.org/wsn/b-2'><w:ConsumerReference>"
          + "<a:Address xmlns:a='http://www.w3.org/2005/08/addressing'>" + address + "</a:Address></w:ConsumerReference>"
          + "</w:Subscribe>");
      List<Integer> expected = new ArrayList<>();
      for (int i = 1; i <= ADDS; i++) {
        post(1 + i % REPLICAS, counter, "<add xmlns='http://counter.com'><value>1</value></add>");
        expected.add(i);
      }
      Condition.await("all values at the consumer", () -> heard.size() >= ADDS);
      assertEquals(expected, heard);
      post(3, counter, "<l:SetTerminationTime xmlns:l='http://docs.oasis-open.org/wsrf/rl-2'>"
          + "<l:RequestedLifetimeDuration>PT0.2S</l:RequestedLifetimeDuration></l:SetTerminationTime>");
      for (int replica = 1; replica <= REPLICAS; replica++) {
        int asked = replica;
        Condition.await("the end of the counter at replica " + replica, () -> send(
            asked, counter, "<getValue xmlns='http://counter.com'/>").status() == 500);
      }
    } finally {
      consumer.stop(0);
    }
  }

  private void assertEveryReplicaIsWritableAndOneHasTheDuties() {
    List<String> bodies =
        IntStream.rangeClosed(1, REPLICAS).mapToObj(replica -> cluster.health(replica, "writable").body()).toList();
    for (String body : bodies) {
      assertTrue(body.contains("\"writable\":true,\"serves\":[\"update\","), body);
    }
    String all = "\"duties\":[\"deliver-notifications\", \"expire-leases\", \"publish-on-demand\", \"send-calls\"]";
    assertEquals(1, bodies.stream().filter(body -> body.contains(all)).count(), bodies::toString);
    assertEquals(REPLICAS - 1, bodies.stream().filter(body -> body.contains("\"duties\":[]")).count(), bodies::toString);
  }

  private void take(HttpExchange exchange) throws IOException {
    Matcher value = NEW_VALUE.matcher(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    if (value.find()) {
      heard.add(Integer.valueOf(value.group(1)));
    }
    exchange.sendResponseHeaders(202, -1);
    exchange.close();
  }

  private Answer post(int replica, String path, String body) {
    Answer answer = send(replica, path, body);
    assertEquals(200, answer.status(), answer.text());
    return answer;
  }

  private Answer send(int replica, String path, String body) {
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>" + body
        + "</e:Body></e:Envelope>";
    return cluster.post(replica, path, envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  private static String pathIn(Answer answer) {
    Matcher path = PATH.matcher(answer.text());
    assertTrue(path.find(), answer.text());
    return path.group(1);
  }
}
