package org.understudy.lab.torture.replica;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.understudy.lab.torture.network.Machines;
import org.understudy.lab.torture.network.Shell;
import org.understudy.lab.torture.network.TestNetwork;

/** The H2 server of a group, on a machine of its own. Each of its processes has the files of the last one. Used by one thread. */
public final class DatabaseProcess {
  /** An unusual one: another program may listen there at all addresses. */
  private static final int PORT = 29092;
  private static final int CONNECT_MS = 1_000;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final String USER = "understudy";

  private final Path folder;
  private final Machines machines;
  private Process process;

  /** @param folder of the run */
  public DatabaseProcess(Path folder, Machines machines) throws IOException {
    this.folder = Files.createDirectories(folder.resolve("database"));
    this.machines = machines;
  }

  /** Lines of understudy.properties, for each replica. */
  public static List<String> settings(Machines machines) {
    return List.of("understudy.database.url=" + url(machines), "understudy.database.user=" + USER, "understudy.database.tls=disabled");
  }

  private static String url(Machines machines) {
    return "jdbc:h2:tcp://" + machines.address(TestNetwork.DATABASE) + ":" + PORT + "/./understudy";
  }

  /** Starts a process, and waits until it takes connections. */
  public void start() throws IOException, InterruptedException {
    String address = machines.address(TestNetwork.DATABASE);
    List<String> command = new ArrayList<>(machines.prefix(TestNetwork.DATABASE));
    command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xmx256m",
        "-XX:TieredStopAtLevel=1",
        "-Djava.net.preferIPv4Stack=true", "-Dh2.bindAddress=" + address, "-cp", System.getProperty("java.class.path"),
        "org.h2.tools.Server", "-tcp", "-tcpPort", Integer.toString(PORT), "-tcpAllowOthers", "-ifNotExists", "-baseDir",
        folder.resolve("data").toString()));
    process = new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile())).start();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answers(address)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IOException("The database server does not take connections; see " + log());
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static boolean answers(String address) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, PORT), CONNECT_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Path log() {
    return folder.resolve("log");
  }

  /** SIGKILL; returns when the process has ended. */
  public void kill() throws IOException, InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      throw new IOException("The database server has not ended a minute after SIGKILL.");
    }
  }

  /** SIGSTOP. */
  public void pause() throws IOException, InterruptedException {
    Shell.run("kill -STOP " + process.pid());
  }

  /** SIGCONT. */
  public void resume() throws IOException, InterruptedException {
    Shell.run("kill -CONT " + process.pid());
  }

  /** The value of each counter that has a row. */
  public Map<Integer, Long> rows() throws IOException {
    Map<Integer, Long> rows = new HashMap<>();
    try (Connection connection = DriverManager.getConnection(url(machines), USER, "");
        Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery("SELECT counter, amount FROM counters")) {
      while (results.next()) {
        rows.put(results.getInt(1), results.getLong(2));
      }
    } catch (SQLException e) {
      throw new IOException("The rows of the counters cannot be read at " + url(machines) + ".", e);
    }
    return rows;
  }
}
