package org.understudy.lab.session;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.understudy.lab.session.app.ValueServlet;

/** The Tomcats of one set-up, each a process with a folder of its own. Used by one thread. */
final class Servers implements AutoCloseable {
  private static final long START_SECONDS = 60;

  private final Setup setup;
  private final Ports ports;
  private final Path root;
  private final Path folder;
  private final List<Process> processes = new ArrayList<>();

  /**
   * @param root of this project, which has been built
   * @param folder for the files of the servers
   */
  Servers(Setup setup, Ports ports, Path root, Path folder) {
    this.setup = setup;
    this.ports = ports;
    this.root = root;
    this.folder = folder;
  }

  /**
   * Writes the files and starts the processes; returns when they serve pages without a session. Servers of Tomcat's cluster start one
   * after another: a DeltaManager waits for a minute when the server that it asks for sessions is starting too.
   *
   * @throws IOException when the build has not made what is needed, or a server does not start
   */
  void start() throws IOException, InterruptedException {
    Path tomcat = tomcat();
    Configuration configuration = new Configuration(setup, ports);
    String secret = UUID.randomUUID().toString();
    for (int server = 1; server <= setup.servers(); server++) {
      Path base = folder.resolve(setup.name() + "-" + server);
      prepare(base, tomcat, configuration, server, secret);
      processes.add(process(base, tomcat, ports.http(setup, server)));
      if (setup.isTomcatCluster()) {
        awaitPages(server);
      }
    }
    for (int server = 1; server <= setup.servers(); server++) {
      awaitPages(server);
    }
  }

  /** Waits until a server serves pages without a session. */
  private void awaitPages(int server) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!SessionClient.isServed(address(server))) {
      checkAlive();
      if (System.nanoTime() > end) {
        throw new IOException("Server " + server + " of " + setup.label() + " does not serve after " + START_SECONDS + " s; its log is "
            + log(server) + ".");
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private Path log(int server) {
    return folder.resolve(setup.name() + "-" + server).resolve("logs/server.log");
  }

  private Path tomcat() throws IOException {
    try (Stream<Path> unpacked = Files.list(root.resolve("lab/target/tomcat"))) {
      return unpacked.filter(one -> Files.exists(one.resolve("lib/catalina-ha.jar"))).findFirst()
          .orElseThrow(() -> new IOException("No Tomcat with lib/catalina-ha.jar in lab/target/tomcat. Run mvn -DskipTests package."));
    }
  }

  private void prepare(Path base, Path tomcat, Configuration configuration, int server, String secret) throws IOException {
    Path application = base.resolve("webapps/sessions");
    for (String name : List.of("conf", "lib", "logs", "temp", "work")) {
      Files.createDirectories(base.resolve(name));
    }
    Files.copy(tomcat.resolve("conf/web.xml"), base.resolve("conf/web.xml"));
    Files.writeString(
        base.resolve("conf/server.xml"), configuration.serverXml(server, Files.readString(root.resolve("conf/server.xml"))));
    write(application.resolve("META-INF/context.xml"), configuration.contextXml(server, secret));
    write(application.resolve("WEB-INF/web.xml"), configuration.webXml(ValueServlet.class.getName()));
    String name = ValueServlet.class.getName().replace('.', '/') + ".class";
    Path copy = application.resolve("WEB-INF/classes").resolve(name);
    Files.createDirectories(copy.getParent());
    try (InputStream in = ValueServlet.class.getClassLoader().getResourceAsStream(name)) {
      Files.copy(in, copy);
    }
    if (setup.isUnderstudy()) {
      copyManager(base.resolve("lib"));
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** As docs/sessions.md describes its installation. */
  private void copyManager(Path lib) throws IOException {
    Path target = root.resolve("session-manager/target");
    if (!Files.isDirectory(target.resolve("lib"))) {
      throw new IOException("The jars of the session manager are missing in " + target + ". Run mvn -DskipTests package.");
    }
    try (Stream<Path> own = Files.list(target); Stream<Path> dependencies = Files.list(target.resolve("lib"))) {
      for (Path jar : Stream.concat(own, dependencies).filter(file -> file.toString().matches(".*(?<!-sources|-javadoc)\\.jar")).toList()) {
        Files.copy(jar, lib.resolve(jar.getFileName()));
      }
    }
  }

  private Process process(Path base, Path tomcat, int port) throws IOException {
    Process process =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "@" + root.resolve("conf/jvm.options"),
            "-Xms128m", "-Xmx384m", "-XX:+UseSerialGC", "-Djava.net.preferIPv4Stack=true",
            "-Dcatalina.config=" + root.resolve("conf/catalina-samples.properties").toUri(),
            "-cp", tomcat.resolve("bin/bootstrap.jar") + ":" + tomcat.resolve("bin/tomcat-juli.jar"),
            "-Dcatalina.home=" + tomcat, "-Dcatalina.base=" + base, "-Djava.io.tmpdir=" + base.resolve("temp"),
            "-Dhttp.address=127.0.0.1", "-Dhttp.port=" + port,
            "-Djava.util.logging.SimpleFormatter.format=%1$tF %1$tT.%1$tL %4$s %3$s %5$s%6$s%n",
            "org.apache.catalina.startup.Bootstrap", "start")
            .redirectErrorStream(true).redirectOutput(base.resolve("logs/server.log").toFile()).start();
    process.getOutputStream().close();
    return process;
  }

  /** The address of a server, from 1. */
  URI address(int server) {
    return URI.create("http://127.0.0.1:" + ports.http(setup, server));
  }

  /** The process of a server, from 1. */
  long pid(int server) {
    return processes.get(server - 1).pid();
  }

  /** SIGKILL; returns when the process has ended. */
  void kill(int server) throws InterruptedException {
    processes.get(server - 1).destroyForcibly().waitFor();
  }

  /** @throws IOException when a process has ended; names its log */
  void checkAlive() throws IOException {
    for (int server = 1; server <= processes.size(); server++) {
      if (!processes.get(server - 1).isAlive()) {
        throw new IOException("Server " + server + " of " + setup.label() + " has ended; its log is " + log(server) + ".");
      }
    }
  }

  /** Ends the processes, and returns when they have ended. */
  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    try {
      for (Process process : processes) {
        process.waitFor(1, TimeUnit.MINUTES);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
