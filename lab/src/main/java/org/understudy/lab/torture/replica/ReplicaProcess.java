package org.understudy.lab.torture.replica;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.understudy.lab.torture.network.Machines;
import org.understudy.lab.torture.network.Shell;

/** One replica: its files, and its process while it has one. Used by one thread. */
public final class ReplicaProcess {
  /** An unusual one: another program may listen there at all addresses. */
  static final int PORT = 28080;

  private final int number;
  private final Machines machines;
  private final Installation installation;
  private final Path base;
  /** Whether it has a file of hosts of its own. */
  private final boolean resolves;
  private Process process;

  /**
   * Writes its files.
   *
   * @param base its folder, which is made
   * @param archive the counter with all libraries
   * @param configuration all lines of understudy.properties but those of this replica alone
   * @param hosts the lines of a file by which its process resolves names; none for the system's
   */
  ReplicaProcess(int number, Machines machines, Installation installation, Path archive, Path base, List<String> configuration,
      List<String> hosts) throws IOException {
    this.number = number;
    this.machines = machines;
    this.installation = installation;
    this.base = base;
    for (String folder : List.of("conf", "logs", "temp", "webapps", "work")) {
      Files.createDirectories(base.resolve(folder));
    }
    Files.copy(archive, base.resolve("webapps/counter.war"));
    Files.copy(installation.tomcat().resolve("conf/web.xml"), base.resolve("conf/web.xml"));
    List<String> lines = new ArrayList<>(configuration);
    lines.add("understudy.replica=" + number);
    lines.add("understudy.directory=" + base.resolve("data"));
    Files.write(base.resolve("conf/understudy.properties"), lines);
    resolves = !hosts.isEmpty();
    Files.write(base.resolve("conf/hosts"), hosts);
  }

  /** Starts its process; returns before it serves. Its records are those of an earlier process, its memory is empty. */
  public void start() throws IOException {
    Path tomcat = installation.tomcat();
    List<String> command = new ArrayList<>(machines.prefix(number));
    command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "@" + installation.conf().resolve("jvm.options"), "-Xms96m", "-Xmx384m", "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1", "-Djava.net.preferIPv4Stack=true",
        "-Dcatalina.config=" + installation.conf().resolve("catalina-samples.properties").toUri(),
        "--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
        "-cp", tomcat.resolve("bin/bootstrap.jar") + ":" + tomcat.resolve("bin/tomcat-juli.jar"),
        "-Dcatalina.home=" + tomcat, "-Dcatalina.base=" + base, "-Djava.io.tmpdir=" + base.resolve("temp"),
        resolves ? "-Djdk.net.hosts.file=" + base.resolve("conf/hosts") : "-Djava.net.preferIPv6Addresses=false",
        "-Dhttp.address=" + machines.address(number), "-Dhttp.port=" + PORT,
        "-Djava.util.logging.SimpleFormatter.format=%1$tF %1$tT.%1$tL %4$s %3$s %5$s%6$s%n"));
    command.addAll(installation.options());
    command.addAll(List.of(
        "org.apache.catalina.startup.Bootstrap", "-config", installation.conf().resolve("server.xml").toString(), "start"));
    process = new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile())).start();
    process.getOutputStream().close();
  }

  /** What it has written. */
  public Path log() {
    return base.resolve("logs/replica.log");
  }

  public boolean alive() {
    return process != null && process.isAlive();
  }

  /** SIGKILL; returns when the process has ended. */
  public void kill() throws IOException, InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      throw new IOException("Replica " + number + " has not ended a minute after SIGKILL.");
    }
  }

  /**
   * Leaves at the end of its journal what a loss of power may leave there, while it has no process.
   *
   * @return what was done, for people
   */
  public String leaveTail(Random random) throws IOException {
    return JournalTail.leave(base.resolve("data/journal"), random);
  }

  /** SIGSTOP. */
  public void pause() throws IOException, InterruptedException {
    Shell.run("kill -STOP " + process.pid());
  }

  /** SIGCONT. */
  public void resume() throws IOException, InterruptedException {
    Shell.run("kill -CONT " + process.pid());
  }
}
