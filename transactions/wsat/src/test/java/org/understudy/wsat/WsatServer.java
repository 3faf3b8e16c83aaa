package org.understudy.wsat;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ValveBase;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.container.transaction.PreparedBranchStop;
import org.understudy.test.process.Program;
import org.understudy.wsat.store.StoreHalt;

/** A Tomcat with a web application that takes part in WS-AtomicTransaction and has nothing else. As a program it is a process. */
final class WsatServer implements AutoCloseable {
  static final String READY = "The server is ready.";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Tomcat tomcat = new Tomcat();
  private final Path own;
  /** The requests, by path. */
  private final Map<String, AtomicInteger> arrived = new ConcurrentHashMap<>();

  private WsatServer(Path directory, int port, String role, Map<String, String> more) throws IOException, LifecycleException {
    own = directory;
    Files.createDirectories(directory.resolve("webapps"));
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(port);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.getHost().getPipeline().addValve(
        new ValveBase(true) {
          @Override
          public void invoke(Request request, Response response) throws IOException, ServletException {
            // Not again when its body has been read.
            if (!request.isAsyncDispatching()) {
              arrived.computeIfAbsent(request.getRequestURI(), path -> new AtomicInteger()).incrementAndGet();
            }
            getNext().invoke(request, response);
          }
        });
    Context context = tomcat.addContext("/app", directory.toString());
    Map<String, String> settings = new TreeMap<>();
    settings.put("understudy.replica", "1");
    settings.put("understudy.replicas", "1=http://127.0.0.1:" + port + "/app");
    settings.put("understudy.strategy", "none");
    settings.put("understudy.request.bytes", "20000");
    settings.put("understudy.wsat", role);
    settings.put("understudy.wsat.directory", store(directory).toString());
    settings.put("understudy.wsat.recovery.s", "1");
    settings.put("understudy.wsat.timeout.s", "10");
    settings.putAll(more);
    settings.forEach(context::addParameter);
    context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    tomcat.start();
    if (!context.getState().isAvailable() || context.findFilterDef("understudy-failed-start") != null) {
      throw new LifecycleException("The web application has not started.");
    }
  }

  /** Starts one and returns when it serves. */
  static WsatServer start(Path directory, int port, String role) throws IOException, LifecycleException {
    return start(directory, port, role, Map.of());
  }

  /** Starts one with further settings, which may name a service. */
  static WsatServer start(Path directory, int port, String role, Map<String, String> more) throws IOException, LifecycleException {
    return new WsatServer(directory, port, role, more);
  }

  /** How many participants and clients have asked to be registered here. */
  int registrations() {
    AtomicInteger count = arrived.get("/app/ws-c11/RegistrationService");
    return count == null ? 0 : count.get();
  }

  /** Whether it keeps transactions that it has decided and that not all participants have acknowledged. */
  boolean hasUnfinished() {
    try (Stream<Path> files = Files.walk(store(own))) {
      return files.anyMatch(file -> Files.isRegularFile(file) && !file.endsWith("lock") && !file.endsWith("key"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The directory of what survives a restart. */
  static Path store(Path directory) {
    return directory.resolve("store");
  }

  /** Starts one as a process, which is not ready when this returns. */
  static Program process(Path directory, int port, String role, Map<String, String> more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Xshare:auto");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(WsatServer.class.getName(), directory.toString(), Integer.toString(port), role));
    more.forEach((key, value) -> command.add(key + "=" + value));
    Files.createDirectories(directory);
    return Program.startMerged(directory, PATIENCE, command);
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }

  /** Arguments: directory, port, role, and key=value of further settings. Runs until it is killed. */
  public static void main(String... arguments) throws Exception {
    Logger.getLogger("org.apache").setLevel(Level.WARNING);
    Map<String, String> more = new TreeMap<>();
    for (String setting : List.of(arguments).subList(3, arguments.length)) {
      more.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
    }
    PreparedBranchStop.obey(Path.of(arguments[0]));
    StoreHalt.obey(Path.of(arguments[0]));
    start(Path.of(arguments[0]), Integer.parseInt(arguments[1]), arguments[2], more);
    System.out.println(READY);
    Thread.currentThread().join();
  }
}
