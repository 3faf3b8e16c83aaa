package org.understudy.session;

import jakarta.servlet.http.HttpServlet;
import java.io.File;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.understudy.replication.core.Role;
import org.understudy.replication.runtime.Replica;
import org.understudy.test.cluster.SuspicionTime;

/** One Tomcat in this JVM, with a web application whose sessions are replicated. */
final class SessionServer implements AutoCloseable {
  private final Tomcat tomcat = new Tomcat();
  private final Context context;
  private final ReplicatedSessionManager manager = new ReplicatedSessionManager();
  private boolean stopped;
  private int port;

  SessionServer(int replica, String peers, Path directory, Consumer<Context> application, Consumer<ReplicatedSessionManager> settings) {
    Path base = directory.resolve("replica-" + replica);
    base.toFile().mkdirs();
    tomcat.setBaseDir(base.toString());
    tomcat.setPort(0);
    tomcat.getConnector();
    context = tomcat.addContext("", new File(".").getAbsolutePath());
    context.setDistributable(true);
    manager.setReplica(Integer.toString(replica));
    manager.setPeers(peers);
    manager.setSecret("a secret of sixteen characters");
    manager.setDirectory(base.resolve("record").toString());
    manager.setClasses("org.understudy.session.*");
    if (!SuspicionTime.isOfTheProduct()) {
      manager.setSuspectMs((int) SuspicionTime.OF_TESTS.toMillis());
    }
    settings.accept(manager);
    context.setManager(manager);
    application.accept(context);
  }

  static void servlet(Context context, String path, HttpServlet servlet) {
    Wrapper wrapper = Tomcat.addServlet(context, path, servlet);
    wrapper.setAsyncSupported(true);
    wrapper.addMapping(path);
  }

  void start() throws LifecycleException {
    tomcat.start();
    port = tomcat.getConnector().getLocalPort();
  }

  Replica replica() {
    return manager.replica();
  }

  ReplicatedSessionManager manager() {
    return manager;
  }

  boolean isActive() {
    return replica().role() == Role.PRIMARY || replica().role() == Role.BACKUP;
  }

  String url(String path) {
    return "http://127.0.0.1:" + port + path;
  }

  /** Stops the server as a crash does: the replica leaves without a word, and connections break. */
  void kill() throws LifecycleException {
    if (!stopped) {
      stopped = true;
      if (replica() != null) {
        replica().close();
      }
      tomcat.stop();
      tomcat.destroy();
    }
  }

  @Override
  public void close() throws LifecycleException {
    kill();
  }
}
