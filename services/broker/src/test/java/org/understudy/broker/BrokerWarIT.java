package org.understudy.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.cluster.WebArchive;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.PerStrategy;
import org.understudy.test.strategy.Strategies;

/** The web archive as it is dropped into two Tomcats. */
@ForEachStrategy
class BrokerWarIT {
  private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";

  private static final int REPLICAS = 2;

  @TempDir static Path directory;

  @RegisterExtension
  static final PerStrategy<TestCluster> CLUSTER =
      new PerStrategy<>(BrokerWarIT::deploy, cluster -> WebArchive.undeploy(cluster, REPLICAS));

  private String broker;

  private static TestCluster deploy() throws Exception {
    WebArchive archive = new WebArchive("/broker", Path.of("target/broker.war"));
    return new TestCluster(Files.createDirectories(directory.resolve(Strategies.current())), archive, REPLICAS, Map.of());
  }

  @BeforeEach
  void select() throws Exception {
    broker = CLUSTER.get().uri(CLUSTER.get().nextServer(), "/services/NotificationBroker").toString();
  }

  private HttpResponse<String> post(String body) throws Exception {
    String envelope = "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body>" + body
        + "</e:Body></e:Envelope>";
    HttpRequest request = HttpRequest.newBuilder(URI.create(broker)).header("Content-Type", "text/xml")
        .POST(HttpRequest.BodyPublishers.ofString(envelope)).build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void subscriberReceivesPublishedMessages() throws Exception {
    LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    HttpServer consumer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    consumer.createContext("/", exchange -> {
      heard.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      exchange.sendResponseHeaders(202, -1);
      exchange.close();
    });
    consumer.start();
    try {
      HttpResponse<String> subscribed = post("<w:Subscribe xmlns:w='" + WSNT + "'><w:ConsumerReference>"
          + "<a:Address xmlns:a='http://www.w3.org/2005/08/addressing'>http://127.0.0.1:"
          + consumer.getAddress().getPort() + "/</a:Address></w:ConsumerReference></w:Subscribe>");
      assertEquals(200, subscribed.statusCode(), subscribed.body());
      HttpResponse<String> published = post("<w:Notify xmlns:w='" + WSNT + "'><w:NotificationMessage>"
          + "<w:Topic Dialect='http://docs.oasis-open.org/wsn/t-1/TopicExpression/Simple'>news</w:Topic>"
          + "<w:Message><good/></w:Message></w:NotificationMessage></w:Notify>");
      assertEquals(202, published.statusCode(), published.body());
      String message = heard.poll(30, TimeUnit.SECONDS);
      assertTrue(message != null && message.contains("<good"), message);
    } finally {
      consumer.stop(0);
    }
  }

  @Test
  void theContractIsThereAndNothingElse() throws Exception {
    HttpResponse<String> wsdl =
        HTTP.send(HttpRequest.newBuilder(URI.create(broker + "?wsdl")).build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(200, wsdl.statusCode());
    assertTrue(wsdl.body().contains("RegisterPublisher"), wsdl.body());
    HttpResponse<String> other = HTTP.send(
        HttpRequest.newBuilder(URI.create(broker.replace("NotificationBroker", "Other"))).build(),
        HttpResponse.BodyHandlers.ofString());
    assertEquals(404, other.statusCode());
  }
}
