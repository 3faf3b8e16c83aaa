package org.understudy.container.forwarding.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.IgnoredOutput;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.forwarding.ForwardedRequest;
import org.understudy.container.forwarding.Repetition;
import org.understudy.container.forwarding.Servers;
import org.understudy.container.forwarding.WaitLimits;
import org.understudy.container.operation.Operation;
import org.understudy.container.response.Answers;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.ReplicaId;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapVersion;

/** The end of a request for which no thread was free: the thread that ends it must not block on the client, so it sends nothing itself. */
class ForwardTaskTest {
  private static final int LIMIT_NANOS = 1_000;
  private static final Servers NONE =
      new Servers() {
        @Override
        public List<ReplicaId> known() {
          return List.of();
        }

        @Override
        public long silentNanos(ReplicaId server) {
          return 0;
        }

        @Override
        public boolean isOutOfReach(ReplicaId server) {
          return false;
        }
      };

  /** What would make the container send something, and the end of the request. */
  private final List<String> events = new ArrayList<>();
  private final Set<ForwardTask> open = new HashSet<>();
  private ForwardTask task;

  private <T> T proxy(Class<T> type, Map<String, ?> results) {
    return type.cast(
        Proxy.newProxyInstance(
            ForwardTaskTest.class.getClassLoader(), new Class<?>[] {type},
            (self, method, arguments) -> {
              if (method.getName().matches("setStatus|setContentLength|flushBuffer|complete")) {
                events.add(method.getName());
              }
              return results.get(method.getName());
            }));
  }

  @BeforeEach
  void forward() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("understudy.replica", "1");
    properties.setProperty("understudy.replicas", "1=http://192.0.2.1:80/");
    properties.setProperty("understudy.strategy", "none");
    properties.setProperty("understudy.secret", "0123456789abcdef");
    Answers answers = new Answers(Configuration.of(properties), null, null);
    RequestEnvelope envelope =
        new RequestEnvelope(SoapVersion.SOAP11, new QName("add"), null, MessageProperties.UNUSED, List.of(), "a", 0);
    HttpServletResponse response =
        proxy(HttpServletResponse.class, Map.of("getOutputStream", new IgnoredOutput(), "getBufferSize", 8_192));
    Operation oneWay = new Operation(null, null, Map.of(), null);
    ForwardedClient client =
        new ForwardedClient(
            proxy(AsyncContext.class, Map.of("getRequest", proxy(ServletRequest.class, Map.of()))), response, envelope, oneWay, answers,
            () -> events.add("done"));
    WaitLimits limits = new WaitLimits(LIMIT_NANOS, LIMIT_NANOS);
    ForwardedRequest attempts = new ForwardedRequest(Repetition.EXECUTES_NOTHING, false, NONE, 0, limits);
    task = new ForwardTask(client, null, attempts, NONE, open);
    open.add(task);
  }

  private void assertLeftToTheContainer() {
    assertEquals(List.of("setStatus", "done", "complete"), events);
    assertEquals(Set.of(), open);
  }

  @Test
  void requestThatIsOneTooMany() {
    task.crowded();
    assertLeftToTheContainer();
  }

  @Test
  void requestWhoseDeadlinePasses() {
    task.timePasses(LIMIT_NANOS);
    assertLeftToTheContainer();
  }

  @Test
  void requestOfAReplicaThatStops() {
    task.stop();
    assertLeftToTheContainer();
  }
}
