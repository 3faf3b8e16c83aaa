package org.understudy.container.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.understudy.container.IgnoredOutput;
import org.understudy.container.SingleReplica;
import org.understudy.container.Soap;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.response.Answers;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.share.LocalShares;

/** A client that closes its connection while its session is opened: the container uses the response for another client then. */
class GoneSessionClientTest {
  private static final String OPEN =
      Soap.envelope(
          "", "<OpenSession xmlns=\"urn:understudy:replication:1\"><Nonce>0123456789abcdef0123456789abcdef</Nonce></OpenSession>");

  /** What happened to the objects of the container, in order. */
  private final List<String> events = new CopyOnWriteArrayList<>();
  private boolean gone;

  private <T> T proxy(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            GoneSessionClientTest.class.getClassLoader(), new Class<?>[] {type},
            (self, method, arguments) -> switch (method.getName()) {
              case "getContentType" -> "text/xml";
              case "getServletContext" -> proxy(ServletContext.class);
              case "getRemoteAddr" -> "192.0.2.1";
              case "startAsync" -> proxy(AsyncContext.class);
              case "getRequest" -> proxy(HttpServletRequest.class);
              case "addListener" -> {
                if (gone) {
                  ((AsyncListener) arguments[0]).onError(null);
                }
                yield null;
              }
              case "getOutputStream" -> new IgnoredOutput();
              case "getBufferSize" -> 8_192;
              case "setStatus", "complete" -> {
                events.add(method.getName());
                yield null;
              }
              default -> null;
            }));
  }

  private void open() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("understudy.replica", "1");
    properties.setProperty("understudy.replicas", "1=http://192.0.2.1:80/");
    properties.setProperty("understudy.strategy", "none");
    properties.setProperty("understudy.secret", "0123456789abcdef");
    Configuration configuration = Configuration.of(properties);
    try (Replica replica = SingleReplica.open();
        SessionEndpoint endpoint =
            new SessionEndpoint(
                configuration, replica, new Answers(configuration, replica, () -> "/services/Cell"), new LocalShares("%d places", 10))) {
      endpoint.answer(proxy(HttpServletRequest.class), proxy(HttpServletResponse.class), OPEN.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void aClientThatWaitsIsAnswered() throws Exception {
    open();
    assertEquals(List.of("setStatus", "complete"), events);
  }

  @Test
  void nothingIsWrittenOnceTheConnectionIsClosed() throws Exception {
    gone = true;
    open();
    assertEquals(List.of(), events);
  }
}
