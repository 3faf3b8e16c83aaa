package org.understudy.cart;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.understudy.session.ReplicatedSessionManager;
import org.understudy.test.Condition;
import org.understudy.test.cluster.WebArchive;
import org.understudy.test.network.FreePorts;

/** Three Tomcats with the web archive, in this process, as an administrator would set them up. */
final class Shops implements AutoCloseable {
  private static final int REPLICAS = 3;

  private final List<Tomcat> tomcats = new ArrayList<>();
  private final List<ReplicatedSessionManager> managers = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();

  Shops(Path directory) throws Exception {
    StringBuilder peers = new StringBuilder();
    StringBuilder addresses = new StringBuilder();
    for (int i = 0; i < REPLICAS; i++) {
      ports.add(FreePorts.next());
      peers.append(i == 0 ? "" : ",").append(i + 1).append("=127.0.0.1:").append(FreePorts.next());
      addresses.append(i == 0 ? "" : ",").append("http://127.0.0.1:").append(ports.get(i));
    }
    Map<String, String> common =
        Map.of("cart.peers", peers.toString(), "cart.replicas", addresses.toString(), "cart.secret", "a secret for the shops");
    common.forEach(System::setProperty);
    for (int i = 0; i < REPLICAS; i++) {
      // Tomcat reads them when the web application starts.
      System.setProperty("cart.replica", Integer.toString(i + 1));
      System.setProperty("cart.directory", directory.resolve("record-" + i).toString());
      start(directory.resolve("tomcat-" + i), ports.get(i));
    }
    awaitAll();
  }

  private void awaitAll() {
    Condition.await("a view of all replicas", () -> managers.stream().allMatch(manager -> members(manager) == REPLICAS));
  }

  /** Stops the web application of a replica and starts it again, as an administrator does. */
  void reload(int replica) {
    managers.get(replica - 1).getContext().reload();
    awaitAll();
  }

  private void start(Path base, int port) throws Exception {
    Path war = Path.of("target", "cart.war").toAbsolutePath();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(base.toString());
    tomcat.setPort(port);
    tomcat.getConnector();
    StandardContext context = (StandardContext) new WebArchive("", war).addTo(tomcat, base);
    context.setConfigFile(URI.create("jar:" + war.toUri() + "!/META-INF/context.xml").toURL());
    tomcat.start();
    if (!context.getState().isAvailable()) {
      throw new IllegalStateException("The web application does not start.");
    }
    tomcats.add(tomcat);
    managers.add((ReplicatedSessionManager) context.getManager());
  }

  private static int members(ReplicatedSessionManager manager) {
    return manager.replica().view().members().size();
  }

  /** The page of a replica, from 1. */
  String page(int replica) {
    return "http://127.0.0.1:" + ports.get(replica - 1) + "/shop";
  }

  /** Stops a replica: its connections break. */
  void kill(int replica) throws LifecycleException {
    Tomcat tomcat = tomcats.get(replica - 1);
    tomcats.set(replica - 1, null);
    managers.get(replica - 1).replica().close();
    tomcat.stop();
    tomcat.destroy();
  }

  /** Waits until a replica serves requests of sessions. */
  void awaitService(int replica) {
    HttpClient http = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(page(replica))).POST(HttpRequest.BodyPublishers.noBody()).build();
    Condition.await(
        "replica " + replica + " to serve requests",
        () -> {
          try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 302;
          } catch (IOException e) {
            return false;
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Override
  public void close() throws LifecycleException {
    for (Tomcat tomcat : tomcats) {
      if (tomcat != null) {
        tomcat.stop();
        tomcat.destroy();
      }
    }
  }
}
