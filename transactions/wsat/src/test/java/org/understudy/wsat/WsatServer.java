package org.understudy.wsat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.understudy.container.deployment.UnderstudyInitializer;

/** A Tomcat with a web application that takes part in WS-AtomicTransaction and has nothing else. As a program it is a process. */
final class WsatServer implements AutoCloseable {
  static final String READY = "The server is ready.";

  private final Tomcat tomcat = new Tomcat();

  private WsatServer(Path directory, int port, String role) throws IOException, LifecycleException {
    Files.createDirectories(directory.resolve("webapps"));
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(port);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("/app", directory.toString());
    context.addParameter("understudy.replica", "1");
    context.addParameter("understudy.replicas", "1=http://127.0.0.1:" + port + "/app");
    context.addParameter("understudy.strategy", "none");
    context.addParameter("understudy.request.bytes", "20000");
    context.addParameter("understudy.wsat", role);
    context.addParameter("understudy.wsat.directory", store(directory).toString());
    context.addParameter("understudy.wsat.recovery.s", "1");
    context.addParameter("understudy.wsat.timeout.s", "10");
    context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    tomcat.start();
    if (!context.getState().isAvailable()) {
      throw new LifecycleException("The web application has not started.");
    }
  }

  /** Starts one and returns when it serves. */
  static WsatServer start(Path directory, int port, String role) throws IOException, LifecycleException {
    return new WsatServer(directory, port, role);
  }

  /** The directory of what survives a restart. */
  static Path store(Path directory) {
    return directory.resolve("store");
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }

  /** Arguments: directory, port. Runs until it is killed. */
  public static void main(String... arguments) throws Exception {
    Logger.getLogger("org.apache").setLevel(Level.WARNING);
    start(Path.of(arguments[0]), Integer.parseInt(arguments[1]), "coordinator");
    System.out.println(READY);
    Thread.currentThread().join();
  }
}
