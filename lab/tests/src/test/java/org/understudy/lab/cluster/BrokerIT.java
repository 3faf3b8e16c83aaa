package org.understudy.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.test.network.ClusterPorts;
import org.understudy.test.process.Program;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.Strategies;

/** The broker's web archive in three Tomcats, the primary or sequencer killed. */
@ForEachStrategy
class BrokerIT {
  private static int port;
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Pattern NUMBER = Pattern.compile("<number[^>]*>(\\d+)<");

  private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private HttpServer consumer;

  private static String cluster(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("../../scripts/cluster"));
    command.addAll(List.of(words));
    command.addAll(List.of("--port", Integer.toString(port)));
    return Program.run(Path.of("."), Duration.ofMinutes(2), command).success();
  }

  @BeforeAll
  static void choosePort() throws Exception {
    port = ClusterPorts.next();
  }

  @BeforeEach
  void listen() throws IOException {
    consumer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    consumer.createContext("/", exchange -> {
      Matcher number = NUMBER.matcher(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      heard.add(number.find() ? number.group(1) : "nothing");
      exchange.sendResponseHeaders(202, -1);
      exchange.close();
    });
    consumer.start();
  }

  @AfterEach
  void stop() throws Exception {
    consumer.stop(0);
    cluster("down");
  }

  private static int post(int replica, String body) throws Exception {
    String envelope = "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body>" + body
        + "</e:Body></e:Envelope>";
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + (port + replica) + "/broker/services/NotificationBroker"))
            .header("Content-Type", "text/xml")
            .POST(HttpRequest.BodyPublishers.ofString(envelope))
            .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
  }

  private static int publish(int replica, int number) throws Exception {
    return post(replica, "<w:Notify xmlns:w='" + WSNT + "'><w:NotificationMessage>"
        + "<w:Topic Dialect='http://docs.oasis-open.org/wsn/t-1/TopicExpression/Simple'>news</w:Topic>"
        + "<w:Message><number>" + number + "</number></w:Message></w:NotificationMessage></w:Notify>");
  }

  @Test
  void acknowledgedMessagesAreDeliveredAcrossAFailover() throws Exception {
    cluster("up", "--service", "broker", "--strategy", Strategies.current());
    assertEquals(200, post(1, "<w:Subscribe xmlns:w='" + WSNT + "'><w:ConsumerReference>"
        + "<a:Address xmlns:a='http://www.w3.org/2005/08/addressing'>http://127.0.0.1:"
        + consumer.getAddress().getPort() + "/</a:Address></w:ConsumerReference></w:Subscribe>"));
    assertEquals(202, publish(2, 1));
    assertEquals("1", heard.poll(30, TimeUnit.SECONDS));
    Matcher leader = Pattern.compile("(?m)^(\\d) .* (?:primary|sequencer) ").matcher(cluster("status"));
    assertTrue(leader.find());
    int killed = Integer.parseInt(leader.group(1));
    cluster("kill", leader.group(1));
    assertEquals(202, publish(killed % 3 + 1, 2));
    String next = heard.poll(30, TimeUnit.SECONDS);
    // The one before may come again: its checkpoint may have died with the primary.
    assertEquals("2", "1".equals(next) ? heard.poll(30, TimeUnit.SECONDS) : next);
  }
}
