package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.core.StandardContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.DeferredService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;

/** A server that stops while requests wait in it: each client receives a failure or its result, none an empty response. */
class StoppedServerHttpTest {
  private static final String TYPE = "text/xml; charset=UTF-8";

  @TempDir private Path directory;

  @BeforeEach
  void reset() {
    DeferredService.reset();
  }

  private static String element(String name, int value) {
    return "<d:" + name + " xmlns:d=\"urn:deferred\">" + value + "</d:" + name + ">";
  }

  private static CompletableFuture<Answer> add(ServiceCluster site, String id, String headers) {
    byte[] envelope = Soap.envelope(headers, element("add", 7)).getBytes(StandardCharsets.UTF_8);
    return site.postLater(1, site.service() + "/" + id, envelope, TYPE);
  }

  @Test
  void everyRequestThatWaitsIsAnswered() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 1, Map.of());
        Socket slow = new Socket("127.0.0.1", site.port(1))) {
      Answer made = site.call(1, Soap.envelope("", element("create", 0)));
      String id = made.text().replaceAll("(?s).*<(\\w+:)?created[^>]*>([^<]+)<.*", "$2");
      byte[] body = Soap.envelope("", element("create", 1)).getBytes(StandardCharsets.UTF_8);
      OutputStream out = slow.getOutputStream();
      out.write(
          ("POST /app" + site.service() + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/xml\r\nContent-Length: "
              + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      Condition.await("the slow request", () -> site.health(1, "live").body().matches("(?s).*\"heldBytes\":[1-9].*"));
      CompletableFuture<Answer> suspended = add(site, id, Soap.messageId("urn:uuid:one"));
      Runnable rest = DeferredService.awaitBegun();
      CompletableFuture<Answer> behind = add(site, id, "");
      CompletableFuture<Answer> duplicate = add(site, id, Soap.messageId("urn:uuid:one"));
      Condition.await("all to wait", () -> site.health(1, "live").body().contains("\"load\":3"));
      site.context(1).addLifecycleListener(event -> {
        if (event.getType().equals(Lifecycle.BEFORE_STOP_EVENT)) {
          // Tomcat has removed the web application from its mapper, dispatches nothing more, and has stopped nothing else.
          rest.run();
          sendRest(out, body);
        }
      });
      site.stop(1);
      for (Answer answer : List.of(suspended.join(), behind.join(), duplicate.join())) {
        assertEquals(500, answer.status(), answer.text());
        // The replica stops at the same time: it then tells a request whose end it does not see that the outcome is unknown.
        String outcome = answer.between("<ur:Code>", "</ur:Code>") + " " + answer.between("<ur:Executed>", "</ur:Executed>");
        assertTrue(List.of("NotReady no", "OutcomeUnknown unknown").contains(outcome), answer.text());
      }
      String late = new String(slow.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(late.startsWith("HTTP/1.1 5"), late);
    }
  }

  @Test
  void anExecutionThatWaitsToTheEndIsAnswered() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 1, Map.of())) {
      Answer made = site.call(1, Soap.envelope("", element("create", 0)));
      String id = made.text().replaceAll("(?s).*<(\\w+:)?created[^>]*>([^<]+)<.*", "$2");
      // By default Tomcat waits for two seconds before it tells the web application to stop.
      ((StandardContext) site.context(1)).setUnloadDelay(0);
      CompletableFuture<Answer> suspended = add(site, id, Soap.messageId("urn:uuid:one"));
      DeferredService.awaitBegun();
      site.stop(1);
      assertEquals("OutcomeUnknown", suspended.join().between("<ur:Code>", "</ur:Code>"));
    }
  }

  private static void sendRest(OutputStream out, byte[] body) {
    try {
      out.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
