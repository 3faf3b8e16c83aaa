package org.understudy.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.understudy.container.deployment.Deployment;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;

/** An application that ends after the requests that run, as is the default of Boot. */
class GracefulEndHttpTest {
  @TempDir Path directory;

  private ConfigurableApplicationContext start(int port) {
    return new SpringApplicationBuilder(CountingApplication.class).run(
        "--server.address=127.0.0.1", "--server.port=" + port, "--server.shutdown=graceful", "--server.compression.enabled=true",
        "--server.compression.min-response-size=1", "--spring.lifecycle.timeout-per-shutdown-phase=10m",
        "--understudy.replica=1", "--understudy.strategy=none", "--understudy.replicas=1=http://127.0.0.1:" + port,
        "--understudy.directory=" + directory);
  }

  /** Sends a request that waits for a view, and returns when it waits. */
  private static CompletableFuture<HttpResponse<byte[]>> waiting(int port, Deployment deployment) {
    Condition.await("the replica to serve", () -> !deployment.replicas().get("").routing().served().isEmpty());
    String poll = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>"
        + "<AwaitView xmlns=\"urn:understudy:replication:1\"><Epoch>" + (1L << 47) + "</Epoch><HoldSeconds>60</HoldSeconds></AwaitView>"
        + "</e:Body></e:Envelope>";
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/replication"))
        .version(HttpClient.Version.HTTP_1_1).header("Content-Type", "text/xml").header("Accept-Encoding", "gzip")
        .POST(HttpRequest.BodyPublishers.ofString(poll)).build();
    CompletableFuture<HttpResponse<byte[]>> answer =
        HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
    LongSupplier polls = deployment.meters("").get("polls");
    Condition.await("the request to wait", () -> polls.getAsLong() > 0);
    return answer;
  }

  /** Every stub has such a request, for up to a minute. Over TLS or HTTP/2, or with compression, it is a request that runs. */
  @Test
  void requestsThatWaitForAViewDoNotDelayTheEnd() throws Exception {
    int port = FreePorts.next();
    ConfigurableApplicationContext application = start(port);
    CompletableFuture<HttpResponse<byte[]>> answer = waiting(port, application.getBean(Deployment.class));
    CompletableFuture<Void> end = CompletableFuture.runAsync(application::close);
    assertEquals(200, answer.get(30, TimeUnit.SECONDS).statusCode());
    assertEquals("gzip", answer.join().headers().firstValue("Content-Encoding").orElse(""));
    end.get(30, TimeUnit.SECONDS);
  }

  /** As Spring's tests pause an application: its clients would repeat requests without a pause. */
  @Test
  void requestsWaitAgainAfterAPause() {
    int port = FreePorts.next();
    try (ConfigurableApplicationContext application = start(port)) {
      application.stop();
      application.start();
      waiting(port, application.getBean(Deployment.class));
    }
  }
}
