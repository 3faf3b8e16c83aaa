package org.understudy.client.invocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.cxf.configuration.jsse.TLSClientParameters;
import org.junit.jupiter.api.Test;
import org.understudy.client.FaultTolerance;
import org.understudy.client.connection.Access;
import org.understudy.client.connection.Attempt;
import org.understudy.client.connection.ConnectionSettings;
import org.understudy.client.connection.Content;
import org.understudy.client.connection.ProxySettings;
import org.understudy.client.connection.ReplicaConnections;
import org.understudy.client.envelope.SessionRequest;
import org.understudy.client.session.SessionRequestTemplate;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.KnownViews;
import org.understudy.client.view.ReplicaAddress;
import org.understudy.replication.api.RequestClass;

/** A message on real connections. */
class InvocationTaskTest {
  private record Message(ReplicaConnections connections) implements RequestTemplate {
    @Override
    public Attempt attempt(URI replica, int number, boolean forward) {
      return new Attempt(replica, replica, new Access(null, Map.of(), connections), "text/xml", Map.of(), Content.of(new byte[] {1}));
    }

    @Override
    public boolean isFitForTrial() {
      return true;
    }
  }

  private static RequestTemplate message(ReplicaConnections connections, Duration patience) {
    return new RequestTemplate() {
      @Override
      public Attempt attempt(URI replica, int number, boolean forward) {
        return new Message(connections).attempt(replica, number, forward);
      }

      @Override
      public Duration patience(Duration left, Duration usual) {
        return patience;
      }
    };
  }

  private static GroupView view(long epoch, List<URI> servers) {
    List<ReplicaAddress> list = new ArrayList<>();
    for (URI server : servers) {
      list.add(new ReplicaAddress(list.size() + 1, true, EnumSet.allOf(RequestClass.class), server));
    }
    return new GroupView(epoch, list);
  }

  private static HttpServer server() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.createContext("/", exchange -> {
      exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(202, -1);
      exchange.close();
    });
    server.start();
    return server;
  }

  private static ReplicaConnections connections() {
    return new ReplicaConnections(new ConnectionSettings(
        Duration.ofSeconds(40), 10, 1_000, new TLSClientParameters(), ProxySettings.OF_THE_JVM));
  }

  /** Returns the status of the answer. */
  private static int deliver(
      RequestTemplate message, KnownViews views, ScheduledThreadPoolExecutor clock) throws Exception {
    ClientContext context =
        new ClientContext(Duration.ofSeconds(40), views, new Reachability(), new InFlightInvocations(), new Backoff(new Random(1)), clock);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    return new InvocationTask(context, message, deadline).deliver().status();
  }

  /** As a replica whose process is paused: the system takes connections for it. */
  @Test
  void aReplicaThatStandsStillIsLeftWhenThePatienceEnds() throws Exception {
    HttpServer other = server();
    ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1);
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        ReplicaConnections connections = connections()) {
      URI first = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
      URI second = URI.create("http://127.0.0.1:" + other.getAddress().getPort() + "/");
      KnownViews views = new KnownViews(List.of(first, second), 1L, first);
      assertEquals(202, deliver(message(connections, Duration.ofMillis(50)), views, clock));
    } finally {
      clock.shutdownNow();
      other.stop(0);
    }
  }

  @Test
  void sessionOperationsLeaveTimeForOtherReplicas() {
    FaultTolerance defaults = FaultTolerance.custom().replicas(List.of(URI.create("http://r/"))).build();
    Duration patience =
        new SessionRequestTemplate(SessionRequest.open("n"), null).patience(defaults.deadline(), defaults.responseTimeout());
    assertTrue(patience.multipliedBy(3).compareTo(defaults.responseTimeout()) < 0);
  }

  /** Without the limit it would wait for the handshake longer than until the deadline of the message. */
  @Test
  void aNewcomerThatDoesNotFinishTheHandshakeOfTlsIsLeft() throws Exception {
    HttpServer old = server();
    ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1);
    clock.setRemoveOnCancelPolicy(true);
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        ReplicaConnections connections = connections()) {
      URI former = URI.create("http://127.0.0.1:" + old.getAddress().getPort() + "/");
      URI newcomer = URI.create("https://127.0.0.1:" + silent.getLocalPort() + "/");
      KnownViews views = new KnownViews(List.of(former, newcomer), 1L, newcomer);
      views.learn(view(1, List.of(former)));
      views.learn(view(2, List.of(former, newcomer)));
      assertEquals(202, deliver(new Message(connections), views, clock));
      assertTrue(views.isNewcomer(newcomer));
      assertEquals(0, clock.getQueue().size());
    } finally {
      clock.shutdownNow();
      old.stop(0);
    }
  }
}
