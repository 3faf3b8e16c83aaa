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
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.cluster.WebApplication;

/** Where every replica executes updates and some executions are rolled back, one of them sends the calls of all. */
class CertifiedOutgoingTest {
  private static final int REPLICAS = 3;
  private static final int PARCELS = 30;
  private static final Pattern PARCEL = Pattern.compile("<parcel[^>]*>(\\d+)</parcel>");
  private static final Pattern ID = Pattern.compile("MessageID[^>]*>([^<]*)<");

  @TempDir Path directory;

  private final List<String> parcels = new CopyOnWriteArrayList<>();
  private final List<String> ids = new CopyOnWriteArrayList<>();

  /** The courier as the only application. */
  private record CourierApplication() implements WebApplication {
    @Override
    public String path() {
      return "/courier";
    }

    @Override
    public Context addTo(Tomcat tomcat, Path base) {
      Context context = tomcat.addContext(path(), base.toString());
      context.addParameter("understudy.service", Courier.class.getName());
      context.addServletContainerInitializer(new UnderstudyInitializer(), null);
      return context;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"certification", "group"})
  void eachCallOfACertifiedUpdateIsSentOnceAndItsReplyTakenOnce(String strategy) throws Exception {
    HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/", this::take);
    receiver.start();
    String address = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
    Map<String, String> settings =
        Map.of(
            "understudy.strategy", strategy, "understudy.channel", "memory",
            "understudy.group", "couriers", "understudy.outgoing.hosts", "127.0.0.1");
    try (TestCluster cluster = new TestCluster(directory, new CourierApplication(), REPLICAS, settings)) {
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < PARCELS; i++) {
        answers.add(
            post(cluster, 1 + i % REPLICAS, "<c:send xmlns:c='urn:courier'><parcel>" + i + "</parcel><address>" + address
                + "</address></c:send>"));
      }
      List<String> given = answers.stream().map(CompletableFuture::join).map(CertifiedOutgoingTest::result).toList();
      Condition.await("all replies", () -> log(cluster, 1).filter(entry -> entry.startsWith("d")).count() >= PARCELS);
      List<String> sent = log(cluster, 2).filter(entry -> entry.startsWith("s")).map(entry -> entry.substring(1)).toList();
      assertEquals(PARCELS, new HashSet<>(sent).size());
      assertEquals(sent, parcels, "in the order of the updates, each once");
      assertEquals(new HashSet<>(given), new HashSet<>(ids));
      assertEquals(sent, log(cluster, 3).filter(entry -> entry.startsWith("d")).map(entry -> entry.substring(1)).toList());
    } finally {
      receiver.stop(0);
    }
  }

  private static Stream<String> log(TestCluster cluster, int replica) {
    return Arrays.stream(result(post(cluster, replica, "<c:log xmlns:c='urn:courier'/>").join()).split(" "));
  }

  private static String result(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    return answer.text().contains("<return>") ? answer.between("<return>", "</return>") : "";
  }

  private static CompletableFuture<Answer> post(TestCluster cluster, int replica, String body) {
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>" + body
        + "</e:Body></e:Envelope>";
    return cluster.postLater(
        replica, "/services/Courier", envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  private void take(HttpExchange exchange) throws IOException {
    String envelope = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Matcher parcel = PARCEL.matcher(envelope);
    Matcher id = ID.matcher(envelope);
    assertTrue(parcel.find() && id.find(), envelope);
    parcels.add(parcel.group(1));
    ids.add(id.group(1));
    exchange.sendResponseHeaders(202, -1);
    exchange.close();
  }
}
