package org.understudy.cdi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.core.Role;
import org.understudy.replication.runtime.Replica;
import org.understudy.session.ReplicatedSessionManager;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.network.FreePorts;

/** A long conversation of Weld in a web application whose sessions are replicated. */
@DisabledIf("org.understudy.cdi.BeanApplication#isOpenWebBeans")
class ConversationHttpTest {
  private static final int REPLICAS = 3;

  @TempDir Path directory;

  private final List<Tomcat> servers = new ArrayList<>();
  private final List<ReplicatedSessionManager> managers = new ArrayList<>();
  private final HttpClient browser = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

  @BeforeEach
  void start() throws Exception {
    StringBuilder peers = new StringBuilder();
    for (int replica = 1; replica <= REPLICAS; replica++) {
      peers.append(replica == 1 ? "" : ",").append(replica).append("=127.0.0.1:").append(FreePorts.next());
    }
    for (int replica = 1; replica <= REPLICAS; replica++) {
      start(replica, peers.toString());
    }
    Condition.await("a view of all replicas", () -> isReady(REPLICAS));
  }

  private void start(int replica, String peers) throws Exception {
    Path base = directory.resolve("replica-" + replica);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(base.toString());
    tomcat.setPort(0);
    tomcat.getConnector();
    Context context = BeanApplication.makeConversation(base.resolve("application")).addTo(tomcat, base);
    context.setDistributable(true);
    // No service is published here.
    context.setContainerSciFilter("org\\.understudy\\..*");
    ReplicatedSessionManager manager = new ReplicatedSessionManager();
    manager.setReplica(Integer.toString(replica));
    manager.setPeers(peers);
    manager.setSecret("a secret of sixteen characters");
    manager.setDirectory(base.resolve("record").toString());
    context.setManager(manager);
    tomcat.start();
    servers.add(tomcat);
    managers.add(manager);
  }

  private boolean isReady(int members) {
    return managers.stream().map(ReplicatedSessionManager::replica).allMatch(
        replica -> replica == null || isActive(replica) && replica.view().members().size() == members);
  }

  private static boolean isActive(Replica replica) {
    return replica.role() == Role.PRIMARY || replica.role() == Role.BACKUP;
  }

  @AfterEach
  void stop() throws Exception {
    for (Tomcat server : servers) {
      server.stop();
      server.destroy();
    }
  }

  /** Leaves its group without a word, as a crash does. */
  private void kill(int replica) throws LifecycleException {
    managers.get(replica - 1).replica().close();
    servers.get(replica - 1).stop();
    managers.remove(replica - 1);
  }

  private HttpResponse<String> send(int replica, String query) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + servers.get(replica - 1).getConnector().getLocalPort() + "/app/wizard?" + query);
    return browser.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private String open(int replica, String query) throws IOException, InterruptedException {
    HttpResponse<String> answer = send(replica, query);
    assertEquals(200, answer.statusCode(), answer.body());
    return answer.body();
  }

  @Test
  void aLongConversationGoesOnAtAnotherReplica() throws Exception {
    try (LogRecorder log = LogRecorder.of(Level.WARNING, "org.jboss.weld")) {
      String id = open(1, "do=begin");
      assertEquals("[a]", open(1, "do=add&page=a&cid=" + id));
      assertEquals("[a, b]", open(2, "do=add&page=b&cid=" + id));
      assertEquals("1", open(1, "do=visit"));
      assertEquals("2", open(3, "do=visit"));
      kill(1);
      Condition.await("a view without the killed replica", () -> isReady(REPLICAS - 1));
      assertEquals("[a, b, c]", open(3, "do=add&page=c&cid=" + id));
      assertEquals("[a, b, c]", open(2, "do=end&cid=" + id));
      assertEquals("3", open(3, "do=visit"));
      assertEquals(List.of(), log.lines());
      assertNotEquals(200, send(3, "do=add&page=d&cid=" + id).statusCode(), "the conversation has ended");
    }
  }

  @Test
  void aConversationBeginsWithAnErrorPageOrAsynchronously() throws Exception {
    try (LogRecorder log = LogRecorder.of(Level.WARNING, "org.jboss.weld")) {
      HttpResponse<String> page = send(1, "do=fail");
      assertEquals(418, page.statusCode());
      assertEquals("[error, a]", open(2, "do=add&page=a&cid=" + page.body()));
      String completed = open(1, "do=complete");
      // Weld stores it when the request has ended, after its answer.
      Condition.await("the conversation", () -> isKnown(3, completed));
      assertEquals("[b]", open(3, "do=add&page=b&cid=" + completed));
      assertFalse(log.has("WELD-000717"), () -> log.lines().toString());
    }
  }

  private boolean isKnown(int replica, String conversation) {
    try {
      return send(replica, "do=visit&cid=" + conversation).statusCode() == 200;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
