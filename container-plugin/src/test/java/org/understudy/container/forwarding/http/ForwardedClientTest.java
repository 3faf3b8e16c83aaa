package org.understudy.container.forwarding.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.understudy.container.forwarding.http.ForwardingConnections.Answer;
import org.understudy.container.operation.Operation;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.runtime.share.ReservedBytes;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.test.Condition;

class ForwardedClientTest {
  /** What happened to the objects of the container, in order. */
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final CountDownLatch writes = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final ForwardedClient client =
      new ForwardedClient(
          proxy(AsyncContext.class), proxy(HttpServletResponse.class),
          new RequestEnvelope(SoapVersion.SOAP11, new QName("add"), null, MessageProperties.UNUSED, List.of(), "a", 0),
          new Operation(null, "", Map.of(), null), null, () -> events.add("done"));

  /** Waits when the response is written. */
  private <T> T proxy(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            ForwardedClientTest.class.getClassLoader(), new Class<?>[] {type},
            (self, method, arguments) -> {
              if (method.getName().equals("setStatus")) {
                writes.countDown();
                goOn.await();
              }
              if (method.getName().matches("setStatus|complete")) {
                events.add(method.getName());
              }
              if (method.getName().equals("getOutputStream")) {
                throw new IllegalStateException("the response is of no use");
              }
              return method.getName().equals("getRequest") ? proxy(ServletRequest.class) : null;
            }));
  }

  private void answer() {
    client.passOn(new Answer(200, "text/xml", "result", "", Map.of(), new ReservedBytes(null, 0, 0)));
  }

  @Test
  void nothingIsWrittenOnceTheConnectionIsClosed() {
    goOn.countDown();
    client.watch(() -> events.add("gone"));
    client.onError(null);
    answer();
    client.onError(null);
    assertEquals(List.of("done", "gone"), events);
  }

  @Test
  void theContainerWaitsForAWriteThatHasBegun() throws Exception {
    Thread writer = new Thread(this::answer);
    writer.start();
    writes.await();
    Thread container = new Thread(() -> {
      client.onError(null);
      events.add("reused");
    });
    container.start();
    Condition.await("the container's thread waits", () -> container.getState() == Thread.State.BLOCKED);
    goOn.countDown();
    container.join();
    writer.join();
    assertEquals(List.of("setStatus", "done", "complete", "reused"), events);
  }
}
